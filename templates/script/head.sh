set -euo pipefail

dry_run=false
case $#:${1-} in
  0:) ;;
  1:--dry-run) dry_run=true ;;
  *)
    echo "usage: bash ${0##*/} [--dry-run]" >&2
    exit 2
    ;;
esac

# What is being done, for the message when it fails.
doing='start'
at_exit() {
  local status=$?
  if ((status != 0)); then
    echo "${0##*/}: failed at: $doing. Nothing after that was run; running the script again is safe." >&2
  fi
}
trap at_exit EXIT

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
