
# Whether what a command prints has $2 in it.
mentions() {
  local what=$1 wanted=$2
  ask "$what" "${@:3}" || return 0
  if [[ $answer == *"$wanted"* ]]; then
    ok "$what"
  else
    missing "$what" 'not installed'
  fi
}
