#!/usr/bin/env bash
# Provision reserved.
# v5p 2x2x4 with a reservation: 16 chips on 4 nodes of ct5p-hightpu-4t.
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

step 'Create node pool reserved-pool'
if missing reserved-pool gcloud container node-pools list \
    --cluster=my-cluster \
    --location=us-east5-a \
    --filter='name~^reserved-pool$' \
    --format='value(name)' \
    --verbosity=error \
    --project=my-project; then
  # --machine-type=ct5p-hightpu-4t: the only v5p machine type for 2x2x4
  # --num-nodes=4: 2x2x4 is 16 chips; 16 / 4 chips per ct5p-hightpu-4t = 4 hosts
  run gcloud container node-pools create reserved-pool \
      --cluster=my-cluster \
      --location=us-east5-a \
      --node-locations=us-east5-a \
      --machine-type=ct5p-hightpu-4t \
      --tpu-topology=2x2x4 \
      --reservation-affinity=specific \
      --reservation=projects/capacity-project/reservations/v5p-2026/reservationBlocks/block-1 \
      --num-nodes=4 \
      --project=my-project
else
  echo '    already exists, unchanged; verify.sh compares it with the spec, cleanup.sh deletes it'
fi

step 'Next: apply the manifests with kubectl, then run verify.sh'
