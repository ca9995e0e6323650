
# Waits until a workload serves. Its controller needs a moment to see what was applied. That it served
# before does not count: kubectl compares generations. LeaderWorkerSet before 0.9 reports none, and
# has to say again that it is available, which it cannot before it has seen the change.
ready() {
  local object=${*: -1} generation turn said
  if ! "$dry_run"; then
    sleep 10
    if [[ $object == leaderworkerset/* ]]; then
      generation=$(kubectl get "$object" --output='jsonpath={.status.observedGeneration}' \
        --namespace="$namespace") || exit
      [[ $generation ]] || run kubectl patch "$object" --subresource=status --type=merge \
        --patch='{"status": {"conditions": null}}' --namespace="$namespace"
      for ((turn = 0; turn < 240; ++turn)); do
        if said=$(kubectl "$@" --timeout=30s --namespace="$namespace" 2>&1); then
          echo "$said" >&2
          return
        elif [[ $said != *'timed out'* ]]; then
          break
        fi
        look_again "${object#*/}" "$turn"
      done
      echo "$said" >&2
      return 1
    fi
  fi
  run kubectl "$@" --timeout=2h --namespace="$namespace"
}

# A group that moves waits until its old pods, near which it has to be, are gone. Then the scheduler takes up to 5 minutes
# to look at its pods again, unless they change.
look_again() {
  kubectl label pods --selector="leaderworkerset.sigs.k8s.io/name=$1" --field-selector=status.phase=Pending \
    "flexslice/again=$2" --overwrite --namespace="$namespace" >/dev/null 2>&1 || true
}
