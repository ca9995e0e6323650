#!/usr/bin/env bash
# Provision two-slices.
# 2 slices of v5p 2x2x2 with Spot VMs: 16 chips on 4 nodes of ct5p-hightpu-4t.
#
# Compiled by flexslice from spec.yaml: change the spec and compile again, rather than editing this file.
#
#   bash provision.sh            does it; running it again is safe
#   bash provision.sh --dry-run  prints the commands instead of running them
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

dry_run=false
case $#:${1-} in
  0:) ;;
  1:--dry-run) dry_run=true ;;
  *)
    echo "usage: bash ${0##*/} [--dry-run]" >&2
    exit 2
    ;;
esac

# A denied request is an error, not an empty list.
export CLOUDSDK_COMPUTE_ALLOW_PARTIAL_ERROR=false

# Whether to create it. After a list that failed nothing is created, since what exists is not known.
missing() {
  local name=$1 names
  "$dry_run" && return
  names=$("${@:2}") || exit
  [[ $names != "$name" ]]
}

step 'Enable the Kubernetes Engine API'
run gcloud services enable container.googleapis.com

step 'Create cluster my-autopilot'
if missing my-autopilot gcloud container clusters list \
    --location=us-central1 \
    --filter='name~^my-autopilot$' \
    --format='value(name)' \
    --verbosity=error; then
  run gcloud container clusters create-auto my-autopilot --location=us-central1
else
  echo '    already exists, unchanged; cleanup.sh deletes it with all that it runs'
fi

step 'Get credentials for cluster my-autopilot'
run gcloud container clusters get-credentials my-autopilot --location=us-central1

step 'Next: apply the manifests with kubectl, then run verify.sh'
