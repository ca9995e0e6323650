
# Says that no place is left.
none_left() {
  if "$dry_run"; then return 0; fi
  doing=
  echo "${0##*/}: no place has nodes for all pods; nothing is left of the workload in them" >&2
  exit 1
}
