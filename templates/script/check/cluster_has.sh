
# Whether column $2 of what `cluster_exists` read is set; to $3, if that is given.
cluster_has() {
  local what=$1 value=${cluster[$2]-} wanted=${3-}
  if "$dry_run"; then
    return
  elif later "$what"; then
    return
  elif [[ ! $version ]]; then
    cannot_tell "$what" 'the cluster is not known'
  elif [[ $wanted && $value != "$wanted" ]]; then
    missing "$what" "it is '$value', and should be '$wanted'"
  elif [[ $wanted ]]; then
    ok "$what"
  elif [[ $value ]]; then
    ok "$what: $value"
  else
    missing "$what" 'not set'
  fi
}
