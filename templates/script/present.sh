
# Whether to delete it. After a list that failed deleting is tried, since what exists is not known.
present() {
  local name=$1 found
  "$dry_run" || ! found=$("${@:2}") || [[ ${found%%$'\t'*} == "$name" ]]
}
