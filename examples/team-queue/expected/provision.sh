#!/usr/bin/env bash
# Provision sweep-1.
# v5e 4x4 with Spot VMs: 16 chips on 4 nodes of ct5lp-hightpu-4t.
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

# Compares what a command prints with what it should print: `A or B`; `none` is nothing.
wrong=0
expect() {
  local wanted=$1 got
  if "$dry_run"; then
    run "${@:2}"
    return
  fi
  got=$("${@:2}")
  if [[ " or $wanted or " == *" or ${got:-none} or "* ]]; then
    echo "    ok: ${got:-none}"
  else
    echo "    WRONG: it is '$got', and should be '$wanted'" >&2
    wrong=$((wrong + 1))
  fi
}

step 'Check status of node pool team-a'
expect 'RUNNING or RECONCILING or PROVISIONING' gcloud container node-pools describe team-a \
    --cluster=my-cluster \
    --location=us-west4 \
    --format='get(status)'

step 'Check config.spot of node pool team-a'
expect True gcloud container node-pools describe team-a \
    --cluster=my-cluster \
    --location=us-west4 \
    --format='get(config.spot)'

step 'Check autoscaling.maxNodeCount of node pool team-a'
expect '4 or none' gcloud container node-pools describe team-a \
    --cluster=my-cluster \
    --location=us-west4 \
    --format='get(autoscaling.maxNodeCount)'

step 'Check config.machineType of node pool team-a'
expect ct5lp-hightpu-4t gcloud container node-pools describe team-a \
    --cluster=my-cluster \
    --location=us-west4 \
    --format='get(config.machineType)'

step 'Check placementPolicy.tpuTopology of node pool team-a'
expect 4x4 gcloud container node-pools describe team-a \
    --cluster=my-cluster \
    --location=us-west4 \
    --format='get(placementPolicy.tpuTopology)'

advice='The node pools are not this workload'\''s own. Name others, or change the spec.'
step 'Compare with the spec'
if ((wrong > 0)); then
  echo "$wrong of the checks above failed. ${advice-}" >&2
  doing=
  exit 1
fi

step 'Next: apply the queues and the manifests with kubectl, then run verify.sh'
