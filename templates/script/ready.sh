
# Waits until a workload serves. Its controller needs a moment to see what was applied. That it served
# before does not count: kubectl compares generations. LeaderWorkerSet before 0.9 reports none, and
# has to say again that it is available, which it cannot before it has seen the change.
ready() {
  local object=${*: -1} generation
  if ! "$dry_run"; then
    sleep 10
    if [[ $object == leaderworkerset/* ]]; then
      generation=$(kubectl get "$object" --output='jsonpath={.status.observedGeneration}' \
        --namespace="$namespace") || exit
      [[ $generation ]] || run kubectl patch "$object" --subresource=status --type=merge \
        --patch='{"status": {"conditions": null}}' --namespace="$namespace"
    fi
  fi
  run kubectl "$@" --timeout=2h --namespace="$namespace"
}
