
# Deletes a claim or a volume only with --delete-volumes; otherwise it stays, and its disk is billed.
if_asked() {
  local what=$2 object=$6 found
  if "$delete_volumes"; then
    "$@"
    return
  fi
  if "$dry_run"; then
    echo '    it stays; --delete-volumes deletes it with what is in it'
    return
  fi
  if [[ ! ${kubeconfig-the one of the user} ]] ||
    ! found=$(kubectl get "$object" --ignore-not-found --output='jsonpath={.metadata.name} {.spec.resources.requests.storage}' "${@:9}"); then
    unknown+=("$what")
  elif [[ $found ]]; then
    echo '    it stays; --delete-volumes deletes it with what is in it'
    [[ $what != PersistentVolumeClaim* ]] || billed+=("$what of ${found#* } (--delete-volumes deletes it)")
  fi
}
