
# The current step, and what exists by now, for the message when the script stops.
doing=
there=()
at_exit() {
  local status=$? each
  if ((status == 0)) || [[ ! $doing ]]; then
    return 0
  fi
  {
    echo "${0##*/}: stopped at: $doing. Nothing after that was run; running the script again is safe."
    ((${#there[@]} > 0)) || return 0
    echo 'What exists stays, and nodes are billed, until cleanup.sh deletes it:'
    for each in "${there[@]}"; do
      [[ "Create $each" != "$doing" ]] ||
        each+=' (perhaps: GKE may go on creating it, or keep it with status ERROR)'
      echo "    $each"
    done
  } >&2
}
