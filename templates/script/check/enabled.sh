
# Whether the API is among those that a command lists; otherwise $3 is what that means.
enabled() {
  local what=$1 api=$2 otherwise=$3
  ask "$what" "${@:4}" || return 0
  if [[ $answer == "$api" ]]; then
    ok "$what"
  elif [[ $otherwise ]]; then
    ok "$what: $otherwise"
    no_cluster=yes
  else
    missing "$what" 'not enabled'
  fi
}
