#!/usr/bin/env bash
# Clean up sleep-1.
# v6e 2x2 with flex-start: 4 chips on 1 node of ct6e-standard-4t.
#
# Compiled by flexslice from spec.yaml: change the spec and compile again, rather than editing this file.
#
#   bash cleanup.sh            does it; running it again is safe
#   bash cleanup.sh --dry-run  prints the commands and runs none
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


step 'Delete Job sleep-1'
run kubectl delete job/sleep-1 --ignore-not-found
