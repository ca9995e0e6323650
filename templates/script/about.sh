
# Names the workload that the next steps are about, and its namespace if its spec has one.
about() {
  workload=$1
  of_context=${of_context-${namespace-}}
  namespace=${2:-$of_context}
}
