
# Waits until a workload serves. Its controller needs a moment to see what was applied.
ready() {
  "$dry_run" || sleep 10
  run kubectl "$@" --timeout=2h --namespace="$namespace"
}
