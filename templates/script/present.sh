
# Whether to delete it. After a list that failed deleting is tried, since what exists is not known.
present() {
  local name=$1 names
  "$dry_run" || ! names=$("${@:2}") || [[ $names == "$name" ]]
}
