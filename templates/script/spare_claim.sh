
# Stops before a claim gets another size while pods of other workloads mount it, unless --force allows it.
spare_claim() {
  local claim=$1 size=$2 found own='' label pods name claims others=()
  if "$dry_run" || "$force"; then return; fi
  found=$(kubectl get "persistentvolumeclaim/$claim" --ignore-not-found --namespace="$namespace" \
    --output='jsonpath={.spec.resources.requests.storage}')
  [[ $found && $found != "$size" ]] || return 0
  for label in "${@:3}"; do
    own+=$'\n'$(kubectl get pods --selector="$label" --output=name --namespace="$namespace")$'\n'
  done
  pods=$(kubectl get pods --namespace="$namespace" \
    --output='jsonpath={range .items[*]}{.metadata.name}|{.spec.volumes[*].persistentVolumeClaim.claimName}{"\n"}{end}')
  while IFS='|' read -r name claims; do
    [[ " $claims " == *" $claim "* && $own != *$'\n'"pod/$name"$'\n'* ]] || continue
    others+=("$name")
  done <<<"$pods"
  ((${#others[@]} > 0)) || return 0
  echo "pods of other workloads mount PersistentVolumeClaim $claim: ${others[*]}. Write the same size in their specs, then allow it with --force." >&2
  exit 1
}
