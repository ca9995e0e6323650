
# Applies objects as they were applied before. What the server applied has no last-applied-configuration,
# and without that kubectl keeps the fields that the new objects lack.
as_before() {
  local objects managers='' way=()
  objects=$(cat)
  if ! "$dry_run"; then
    managers=$(kubectl get --filename=- --ignore-not-found --show-managed-fields --namespace="$namespace" \
      --output='jsonpath={range ..managedFields[?(@.operation=="Apply")]}{.manager} {end}' <<<"$objects") || exit
  fi
  [[ " $managers" != *' kubectl '* ]] || way=(--server-side --force-conflicts)
  run "$@" ${way[@]+"${way[@]}"} <<<"$objects"
}
