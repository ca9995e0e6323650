
is_set_to() {
  local what=$1 wanted=$2
  ask "$what" "${@:3}" || return 0
  if [[ $answer == "$wanted" ]]; then
    ok "$what"
  else
    missing "$what" "it is '$answer', and should be '$wanted'"
  fi
}
