
is_not_empty() {
  local what=$1
  ask "$@" || return 0
  if [[ $answer ]]; then
    ok "$what: $answer"
  else
    missing "$what" 'not set'
  fi
}
