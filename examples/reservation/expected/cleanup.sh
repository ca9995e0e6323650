#!/usr/bin/env bash
# Clean up reserved.
# v5p 2x2x4 with a reservation: 16 chips on 4 nodes of ct5p-hightpu-4t.
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

# Prints the name when the list command finds it. A list that fails stops the script, since it says nothing about what exists.
# Refused requests are failures too, not empty lists.
export CLOUDSDK_COMPUTE_ALLOW_PARTIAL_ERROR=false
found() {
  local name=$1 names
  names=$("${@:2}") || exit
  [[ $names == "$name" ]]
}

present() { "$dry_run" || found "$@"; }

# kubectl talks to the cluster of the spec, whatever your current context is; your own kubeconfig stays as it is.
credentials() {
  if ! "$dry_run"; then
    KUBECONFIG=$(mktemp)
    export KUBECONFIG
    trap 'at_exit; rm -f "$KUBECONFIG"' EXIT
  fi
  run "$@"
}

step 'Look for cluster my-cluster'
if present my-cluster gcloud container clusters list \
    --location=us-east5-a \
    --filter='name~^my-cluster$' \
    --format='value(name)' \
    --verbosity=error \
    --project=my-project; then

  step 'Get credentials for cluster my-cluster'
  credentials gcloud container clusters get-credentials my-cluster \
      --location=us-east5-a \
      --project=my-project

  step 'Delete Job reserved'
  run kubectl delete job/reserved --ignore-not-found

  step 'Delete Service reserved'
  run kubectl delete service/reserved --ignore-not-found

  step 'Delete node pool reserved-pool'
  if present reserved-pool gcloud container node-pools list \
      --cluster=my-cluster \
      --location=us-east5-a \
      --filter='name~^reserved-pool$' \
      --format='value(name)' \
      --verbosity=error \
      --project=my-project; then
    run gcloud container node-pools delete reserved-pool \
        --cluster=my-cluster \
        --location=us-east5-a \
        --quiet \
        --project=my-project
  else
    echo '    gone already'
  fi
else
  echo '    no cluster my-cluster in us-east5-a: nothing deleted there'
fi
