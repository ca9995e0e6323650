set -euo pipefail

# The current step, for the message when the script stops there.
doing=
at_exit() {
  local status=$?
  if ((status != 0)) && [[ $doing ]]; then
    echo "${0##*/}: stopped at: $doing. Nothing after that was run; running the script again is safe." >&2
  fi
}
trap at_exit EXIT
# Without this, Ctrl-C would only count as a failure of the current command.
trap 'exit 130' INT

step() {
  doing=$1
  printf '==> %s\n' "$1" >&2
}

# Runs a command, or prints it in a dry run.
run() {
  if "$dry_run"; then
    printf '%q' "$1"
    printf ' %q' "${@:2}"
    printf '\n'
  else
    "$@"
  fi
}
