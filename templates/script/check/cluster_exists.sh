
# The GKE version of the control plane, empty where it is not known, and then what else is asked of
# the cluster.
version=
cluster_exists() {
  local otherwise=$2
  absent=${otherwise:+to_create} ask "$1" "${@:3}" || return 0
  IFS='|' read -ra cluster <<<"$answer"
  version=${cluster[0]-}
  [[ $answer != *gitVersion* ]] || version=$(sed -n 's/.*"gitVersion": *"v\([^"]*\)".*/\1/p' <<<"$answer")
  ok "$1: GKE $version"
}
to_create() {
  ok "$1: $otherwise"
  no_cluster=yes
}
