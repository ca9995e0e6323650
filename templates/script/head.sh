trap at_exit EXIT
# Without these, Ctrl-C would only count as a failure of the current command, and nothing would be
# said after a closed terminal.
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

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
