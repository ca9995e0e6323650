
# Whether there are so many node pools. Conditions end with `--`.
has_pools() {
  local what=$1 wanted=$2 filter=$3
  shift 3
  while [[ $1 != -- ]]; do
    filter+=" AND $1"
    shift
  done
  ask "$what" "${@:2}" "--filter=$filter" || return 0
  answer=${answer//$'\n'/ }
  if (($(wc -w <<<"$answer") >= wanted)); then
    ok "$what: $answer"
  else
    missing "$what" "found '$answer'"
  fi
}
