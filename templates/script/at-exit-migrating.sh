
# The current step, and what may be billed, for the message when the script stops.
doing=
there=()
at_exit() {
  local status=$?
  ((status != 0 && status != 2)) || return 0
  {
    [[ ! $doing ]] ||
      echo "${0##*/}: stopped at: $doing. Nothing after that was run; running the script again is safe."
    echo "Billed for as long as it exists: $may_be_billed"
  } >&2
}
