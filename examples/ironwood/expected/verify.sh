#!/usr/bin/env bash
# Verify ironwood.
# tpu7x 4x4x4 with flex-start: 64 chips on 16 nodes of tpu7x-standard-4t.
#
# Compiled by flexslice from spec.yaml: change the spec and compile again, rather than editing this file.
#
#   bash verify.sh                 does it; running it again is safe
#   bash verify.sh --dry-run       prints the commands instead of running them
#   bash verify.sh --namespace NS  uses namespace NS instead of that of kubectl's current context
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

usage() {
  echo "usage: bash ${0##*/} [--dry-run] [--namespace NS]" >&2
  exit 2
}

dry_run=false
namespace=
while (($# > 0)); do
  case $1 in
    --dry-run) dry_run=true ;;
    --namespace=[a-z0-9]*) namespace=${1#*=} ;;
    --namespace)
      [[ ${2-} == [a-z0-9]* ]] || usage
      namespace=$2
      shift
      ;;
    *) usage ;;
  esac
  shift
done

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

# kubectl talks to the cluster of the spec, whatever your current context is; your own kubeconfig
# stays as it is.
credentials() {
  if "$dry_run"; then
    run "$@"
    return
  fi
  trap 'at_exit; rm -f "$kubeconfig"' EXIT
  if kubeconfig=$(mktemp) && export KUBECONFIG=$kubeconfig && "$@"; then
    return
  fi
  rm -f "$kubeconfig"
  kubeconfig=
  return 1
}

# `kubectl apply` used the namespace of the current context, so it is read before the script gets
# credentials of its own.
if [[ ! $namespace ]]; then
  namespace=$(kubectl config view --minify --output='jsonpath={.contexts[0].context.namespace}' 2>/dev/null) || true
  namespace=${namespace:-default}
fi
step "Use namespace $namespace"

step 'Check status of node pool ironwood-pool'
expect 'RUNNING or RECONCILING or PROVISIONING' gcloud container node-pools describe ironwood-pool \
    --cluster=my-cluster \
    --location=us-central1 \
    --format='get(status)' \
    --project=my-project

step 'Check config.flexStart of node pool ironwood-pool'
expect True gcloud container node-pools describe ironwood-pool \
    --cluster=my-cluster \
    --location=us-central1 \
    --format='get(config.flexStart)' \
    --project=my-project

step 'Check autoscaling.maxNodeCount of node pool ironwood-pool'
expect 16 gcloud container node-pools describe ironwood-pool \
    --cluster=my-cluster \
    --location=us-central1 \
    --format='get(autoscaling.maxNodeCount)' \
    --project=my-project

step 'Check config.machineType of node pool ironwood-pool'
expect tpu7x-standard-4t gcloud container node-pools describe ironwood-pool \
    --cluster=my-cluster \
    --location=us-central1 \
    --format='get(config.machineType)' \
    --project=my-project

step 'Check placementPolicy.policyName of node pool ironwood-pool'
expect ironwood-policy gcloud container node-pools describe ironwood-pool \
    --cluster=my-cluster \
    --location=us-central1 \
    --format='get(placementPolicy.policyName)' \
    --project=my-project

step 'Check locations of node pool ironwood-pool'
expect us-central1-c gcloud container node-pools describe ironwood-pool \
    --cluster=my-cluster \
    --location=us-central1 \
    --format='get(locations)' \
    --project=my-project

step 'Get credentials for cluster my-cluster'
credentials gcloud container clusters get-credentials my-cluster \
    --location=us-central1 \
    --project=my-project

step 'Show the pods of ironwood'
run kubectl get pods --selector=job-name=ironwood --output=wide --namespace="$namespace"

advice='Run cleanup.sh, then provision.sh, to create the pools as the spec says.'
step 'Compare with the spec'
if ((wrong > 0)); then
  echo "$wrong of the checks above failed. ${advice-}" >&2
  doing=
  exit 1
fi
