
# Stops before anything is changed where a claim has to be deleted, unless --delete-volumes allows it.
ask_for_volumes() {
  "$delete_volumes" && return
  echo "$1 has to be deleted with its data and made again: --delete-volumes allows it. Or name another claim in the new spec." >&2
  "$dry_run" && return
  doing=
  exit 1
}
