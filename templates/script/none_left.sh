
# Says that no place is left.
none_left() {
  if "$dry_run"; then return 0; fi
  doing=
  echo "${0##*/}: no place has nodes for all pods" >&2
  tell_kept
  exit 1
}
