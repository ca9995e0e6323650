
# Whether to create it. After a list that failed nothing is created, since what exists is not known.
missing() {
  local name=$1 names
  "$dry_run" && return
  names=$("${@:2}") || exit
  [[ $names != "$name" ]]
}
