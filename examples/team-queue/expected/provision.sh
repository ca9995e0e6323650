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

dry_run=false
case $#:${1-} in
  0:) ;;
  1:--dry-run) dry_run=true ;;
  *)
    echo "usage: bash ${0##*/} [--dry-run]" >&2
    exit 2
    ;;
esac

# Compares the columns that a command prints with what they should be: FIELD=VALUE for each, up to
# `--`. A value is `A or B`; `none` is nothing.
wrong=0
expect() {
  local values=() answer columns i wanted got
  while [[ $1 != -- ]]; do
    values+=("$1")
    shift
  done
  shift
  if "$dry_run"; then
    run "$@"
    return
  fi
  answer=$("$@")
  IFS='|' read -ra columns <<<"$answer"
  for i in "${!values[@]}"; do
    wanted=${values[i]#*=} got=${columns[i]-}
    if [[ " or $wanted or " == *" or ${got:-none} or "* ]]; then
      echo "    ok: ${values[i]%%=*} is ${got:-not set}"
    else
      echo "    WRONG: ${values[i]%%=*} is '$got', and should be '$wanted'" >&2
      wrong=$((wrong + 1))
    fi
  done
}

step 'Check node pool team-a'
expect 'status=RUNNING or RECONCILING or PROVISIONING' \
    'config.flexStart=False or none' \
    config.spot=True \
    'queuedProvisioning.enabled=False or none' \
    'config.reservationAffinity.consumeReservationType=NO_RESERVATION or ANY_RESERVATION or UNSPECIFIED or none' \
    'autoscaling.maxNodeCount=4 or none' \
    config.machineType=ct5lp-hightpu-4t \
    placementPolicy.tpuTopology=4x4 \
    -- gcloud container node-pools describe team-a \
    --cluster=my-cluster \
    --location=us-west4 \
    --format='csv[no-heading,separator="|"](status,config.flexStart,config.spot,queuedProvisioning.enabled,config.reservationAffinity.consumeReservationType,autoscaling.maxNodeCount,config.machineType,placementPolicy.tpuTopology)'

advice='The node pools are not this workload'\''s own. Name others, or change the spec.'
step 'Compare with the spec'
if ((wrong > 0)); then
  echo "$wrong of the checks above failed. ${advice-}" >&2
  doing=
  exit 1
fi

step 'Next: apply the queues and the manifests with kubectl, then run verify.sh'
