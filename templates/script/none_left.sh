
# Says that no place is left.
none_left() {
  if "$dry_run"; then return 0; fi
  doing=
  echo "${0##*/}: no place has nodes for all pods; what stays billed in one, the last lines of its cleanup.sh say" >&2
  exit 1
}
