
# Leaves the number of replicas of an object to its autoscaler. What was applied with the number and is applied without it gets the
# default, 1. Reads the old manifest without it, which takes the place of what kubectl remembers.
keep_replicas() {
  local object=$1 applied count manifest
  manifest=$(cat)
  if "$dry_run"; then
    run kubectl apply set-last-applied --filename=- --namespace="$namespace"
    return
  fi
  applied=$(kubectl get "$object" --ignore-not-found --show-managed-fields --namespace="$namespace" \
    --output='jsonpath={.metadata.annotations.kubectl\.kubernetes\.io/last-applied-configuration}{range .metadata.managedFields[?(@.operation=="Apply")]}{.fieldsV1.f:spec.f:replicas}{"\n"}{end}')
  if [[ $applied == *'"replicas":'* ]]; then
    run kubectl apply set-last-applied --filename=- --namespace="$namespace" <<<"$manifest"
  elif [[ $applied == *'{}'* && $applied != *'"apiVersion":'* ]]; then
    # It was applied by the server, which keeps a number that another manager has as well.
    count=$(kubectl get "$object" --output='jsonpath={.spec.replicas}' --namespace="$namespace")
    run kubectl apply --server-side --field-manager=flexslice-autoscaling --filename=- --namespace="$namespace" \
      <<<"{\"apiVersion\": \"$2\", \"kind\": \"$3\", \"metadata\": {\"name\": \"$4\"}, \"spec\": {\"replicas\": $count}}"
  fi
}
