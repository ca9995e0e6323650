#!/usr/bin/env bash
# Provision experiment.
# v5p 2x2x1 with flex-start: 4 chips on 1 node of ct5p-hightpu-4t.
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
run gcloud services enable container.googleapis.com --project=my-project

step 'Create cluster experiment'
if missing experiment gcloud container clusters list \
    --location=us-east5 \
    --filter='name~^experiment$' \
    --format='value(name)' \
    --verbosity=error \
    --project=my-project; then
  run gcloud container clusters create experiment \
      --location=us-east5 \
      --num-nodes=1 \
      --cluster-version=1.33.2-gke.1240000 \
      --addons=HttpLoadBalancing,HorizontalPodAutoscaling,GcsFuseCsiDriver \
      --workload-pool=my-project.svc.id.goog \
      --project=my-project
else
  echo '    already exists, unchanged; cleanup.sh deletes it with all that it runs'
fi

step 'Get credentials for cluster experiment'
run gcloud container clusters get-credentials experiment --location=us-east5 --project=my-project

step 'Create node pool experiment-pool'
if missing experiment-pool gcloud container node-pools list \
    --cluster=experiment \
    --location=us-east5 \
    --filter='name~^experiment-pool$' \
    --format='value(name)' \
    --verbosity=error \
    --project=my-project; then
  # --machine-type=ct5p-hightpu-4t: the only v5p machine type for 2x2x1
  # --max-nodes=1: one pod, one host
  run gcloud container node-pools create experiment-pool \
      --cluster=experiment \
      --location=us-east5 \
      --node-locations=us-east5-a \
      --machine-type=ct5p-hightpu-4t \
      --flex-start \
      --enable-autoscaling \
      --num-nodes=0 \
      --min-nodes=0 \
      --max-nodes=1 \
      --reservation-affinity=none \
      --no-enable-autorepair \
      --location-policy=ANY \
      --project=my-project
else
  echo '    already exists, unchanged; verify.sh compares it with the spec, cleanup.sh deletes it'
fi

step 'Next: apply the manifests with kubectl, then run verify.sh'
