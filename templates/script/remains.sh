
# Reports each node pool that the command lists as failed, unless its deletion is reported already.
remains() {
  local names name
  "$dry_run" && return
  names=$("$@") || return
  for name in $names; do
    [[ " ${failed[*]-} " == *"Delete node pool $name"[\ :]* ]] ||
      failed+=("node pool $name: still exists and is billed; the cleanup.sh of the spec that created it deletes it")
  done
}
