
# The current step, for the message when the script stops there.
doing=
at_exit() {
  local status=$?
  if ((status != 0)) && [[ $doing ]]; then
    echo "${0##*/}: stopped at: $doing. Nothing after that was run; running the script again is safe." >&2
  fi
}
