
# Succeeds when no pod of another workload runs on the node pool or waits for it; without a pool,
# when no earlier pool was kept for that. When pods cannot be listed it succeeds too: nodes are
# billed.
kept=0
unused() {
  local pool=$1 label=$2 nodes pods own place waits space name owner others=()
  "$dry_run" || "$force" && return
  if [[ ! $pool ]]; then
    ((kept == 0)) || failed+=("$doing: other workloads use its node pools")
    ((kept == 0))
    return
  fi
  if [[ ! ${kubeconfig-the one of the user} ]] ||
    ! nodes=$(kubectl get nodes --selector="cloud.google.com/gke-nodepool=$pool" --output=name) ||
    ! own=$(kubectl get pods --selector="$label" --output=name --namespace="$namespace") ||
    ! pods=$(kubectl get pods --all-namespaces \
      --field-selector='status.phase!=Succeeded,status.phase!=Failed' \
      --output='jsonpath={range .items[*]}{.spec.nodeName}|{.spec.nodeSelector.cloud\.google\.com/gke-nodepool}|{.metadata.namespace}|{.metadata.name}|{.metadata.ownerReferences[0].kind}{"\n"}{end}'); then
    echo '    cannot see whether pods of other workloads use it' >&2
    return 0
  fi
  while IFS='|' read -r place waits space name owner; do
    [[ $owner != DaemonSet && $owner != Node && $space != kube-system ]] || continue
    [[ $waits == "$pool" || $'\n'$nodes$'\n' == *$'\n'"node/$place"$'\n'* ]] || continue
    [[ $space != "$namespace" || $'\n'$own$'\n' != *$'\n'"pod/$name"$'\n'* ]] || continue
    others+=("$space/$name")
  done <<<"$pods"
  ((${#others[@]} > 0)) || return 0
  echo "    left: pods of other workloads use it: ${others[*]}"
  failed+=("$doing: pods of other workloads use it: ${others[*]} (--force deletes it anyway)")
  kept=1
  return 1
}
