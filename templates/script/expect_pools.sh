
# Compares how many node pools there are with how many there should be. Conditions end with `--`.
expect_pools() {
  local wanted=$1 filter=$2 names
  shift 2
  while [[ $1 != -- ]]; do
    filter+=" AND $1"
    shift
  done
  shift
  if "$dry_run"; then
    run "$@" "--filter=$filter"
    return
  fi
  names=$("$@" "--filter=$filter")
  names=${names//$'\n'/ }
  if (($(wc -w <<<"$names") >= wanted)); then
    echo "    ok: $names"
  else
    echo "    WRONG: it is '$names', and there should be at least $wanted" >&2
    wrong=$((wrong + 1))
  fi
}
