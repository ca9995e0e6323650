
# Reports each node pool of this workload that the command lists as failed, unless its deletion is
# reported already.
remains() {
  local names name space
  "$dry_run" && return
  names=$("$@") || return
  while IFS=$'\t' read -r name space; do
    [[ $name && ${space:-$namespace} == "$namespace" && " ${failed[*]-} " != *"Delete node pool $name"[\ :]* ]] ||
      continue
    failed+=("node pool $name: still exists and is billed; the cleanup.sh of the spec that created it deletes it")
  done <<<"$names"
}
