
# Deletes a claim or a volume only with --delete-volumes; otherwise it stays, and its disk is billed.
# A claim of a bucket has no disk.
if_asked() {
  local what=$2 object=$6 found is_disk=false
  [[ $what != PersistentVolumeClaim* || $what == *' of a bucket' ]] || is_disk=true
  if "$delete_volumes"; then
    "$@"
    return
  fi
  if "$dry_run"; then
    echo '    it stays; --delete-volumes deletes it with what is in it'
    ! "$is_disk" || billed+=("$what (--delete-volumes deletes it)")
    return
  fi
  if [[ ! ${kubeconfig-the one of the user} ]] ||
    ! found=$(kubectl get "$object" --ignore-not-found --output='jsonpath={.metadata.name} {.spec.resources.requests.storage}' "${@:9}"); then
    ! "$is_disk" || unknown+=("$what")
  elif [[ $found ]]; then
    echo '    it stays; --delete-volumes deletes it with what is in it'
    ! "$is_disk" || billed+=("$what of ${found#* } (--delete-volumes deletes it)")
  fi
}
