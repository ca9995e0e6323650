
# Succeeds when nothing in the cluster is anybody else's, and no claim is in it: its data would be
# lost, and its disk stay billed. A claim of a bucket has no disk. After the selector, the command
# that lists node pools, if people make any there.
unused_cluster() {
  local claims='' found pools name of space others=()
  "$dry_run" && return
  if ! "$delete_volumes"; then
    if [[ ! ${kubeconfig-the one of the user} ]] ||
      ! found=$(kubectl get persistentvolumeclaims --all-namespaces \
        --output='jsonpath={range .items[*]}{.metadata.namespace}/{.metadata.name}|{.spec.storageClassName}{"\n"}{end}'); then
      "$force" || keep 'cannot see whether claims with data are in it' || return
    fi
    while IFS='|' read -r name of; do
      [[ ! $name || $of == gcsfusecsi-* ]] || claims+="$name "
    done <<<"${found-}"
    if [[ $claims ]]; then
      echo "    left: claims are in it: $claims"
      billed+=("${doing#Delete }, in which are the claims ${claims% } (--delete-volumes deletes it with them)")
      return 1
    fi
  fi
  "$force" && return
  if [[ ${failed[*]-} == *'Delete node pool '*'(--force deletes it anyway)'* ]]; then
    failed+=("$doing: other workloads use its node pools")
    return 1
  fi
  if ! find_others '' "$1" || ! pools=$("${@:2}"); then
    keep 'cannot see what else is in it' || return
  fi
  while IFS=$'\t' read -r name of space; do
    [[ ! $name || ($of == "$workload" && ${space:-$namespace} == "$namespace") ]] || others+=("node pool $name")
  done <<<"$pools"
  ((${#others[@]} == 0)) || keep "others use it: ${others[*]}"
}
