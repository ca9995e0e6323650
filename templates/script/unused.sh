
# Succeeds when no pod of another workload runs on the node pool or waits for it. What cannot be seen
# keeps it: somebody's service may run there.
unused() {
  local others=()
  "$dry_run" || "$force" && return
  if ! find_others "$@"; then
    keep 'cannot see whether pods of other workloads use it'
  elif ((${#others[@]} > 0)); then
    keep "pods of other workloads use it: ${others[*]}"
  fi
}

keep() {
  echo "    left: $1"
  failed+=("$doing: $1 (--force deletes it anyway)")
  return 1
}

# Sets `others` to the pods of other workloads on a node pool, or in the cluster without one. Pods of
# GKE and of controllers go with it.
find_others() {
  local pool=$1 label=$2 nodes='' pods own place waits space name owner
  [[ ${kubeconfig-the one of the user} ]] || return
  [[ ! $pool ]] || nodes=$(kubectl get nodes --selector="cloud.google.com/gke-nodepool=$pool" --output=name) || return
  own=$(kubectl get pods --selector="$label" --output=name --namespace="$namespace") || return
  pods=$(kubectl get pods --all-namespaces \
    --field-selector='status.phase!=Succeeded,status.phase!=Failed' \
    --output='jsonpath={range .items[*]}{.spec.nodeName}|{.spec.nodeSelector.cloud\.google\.com/gke-nodepool}|{.metadata.namespace}|{.metadata.name}|{.metadata.ownerReferences[0].kind}{"\n"}{end}') || return
  while IFS='|' read -r place waits space name owner; do
    [[ $name && $owner != DaemonSet && $owner != Node && $space != kube-system ]] || continue
    if [[ $pool ]]; then
      [[ $waits == "$pool" || $'\n'$nodes$'\n' == *$'\n'"node/$place"$'\n'* ]] || continue
    else
      [[ $space != *-system && $space != kube-* && $space != gke-* ]] || continue
    fi
    [[ $space != "$namespace" || $'\n'$own$'\n' != *$'\n'"pod/$name"$'\n'* ]] || continue
    others+=("$space/$name")
  done <<<"$pods"
}
