#!/usr/bin/env bash
# Verify sleep-1.
# v6e 2x2 with flex-start: 4 chips on 1 node of ct6e-standard-4t.
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

# Compares the columns that a command prints with what they should be: FIELD=VALUE for each, up to
# `--`. A value is `A or B`; `none` is nothing. What gcloud can change while pods run is `changeable`.
wrong=0
changeable=true
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
      [[ ${values[i]} == autoscaling.* || ${values[i]} == initialNodeCount=* || ${values[i]} == locations=* ||
        ${values[i]} == config.labels.* || ${values[i]} == config.diskSizeGb=* ]] || changeable=false
    fi
  done
}

# kubectl talks to the cluster of the spec, whatever your current context is; your own kubeconfig
# stays as it is.
unset kubeconfig
credentials() {
  if "$dry_run"; then
    run "$@"
    return
  fi
  trap 'at_exit; rm -f "$kubeconfig"' EXIT
  if kubeconfig=${kubeconfig:-$(mktemp)} && export KUBECONFIG=$kubeconfig && "$@"; then
    return
  fi
  rm -f "$kubeconfig"
  kubeconfig=
  return 1
}

# The pods of a slice wait for one reason, so the events of three of them tell it.
show_waiting() {
  local pods pod shown=0
  if "$dry_run"; then
    run "$@"
    return
  fi
  pods=$("$@")
  [[ $pods ]] || echo '    no pod waits'
  for pod in $pods; do
    if ((++shown > 3)); then
      echo "    and $(($(wc -l <<<"$pods") - 3)) more pods wait"
      break
    fi
    echo "    $pod"
    kubectl events --for="$pod" --namespace="$namespace" || return 0
  done
}

# `kubectl apply` used the namespace of the current context, so it is read before the script gets
# credentials of its own.
if [[ ! $namespace ]]; then
  namespace=$(kubectl config view --minify --output='jsonpath={.contexts[0].context.namespace}' 2>/dev/null) || true
  namespace=${namespace:-default}
fi
step "Use namespace $namespace"

step 'Check node pool sleep-1-pool'
expect 'status=RUNNING or RECONCILING or PROVISIONING' \
    config.flexStart=True \
    'config.spot=False or none' \
    'queuedProvisioning.enabled=False or none' \
    'config.reservationAffinity.consumeReservationType=NO_RESERVATION or ANY_RESERVATION or UNSPECIFIED or none' \
    autoscaling.maxNodeCount=1 \
    config.machineType=ct6e-standard-4t \
    locations=us-east5-b \
    -- gcloud container node-pools describe sleep-1-pool \
    --cluster=my-cluster \
    --location=us-east5 \
    --format='csv[no-heading,separator="|"](status,config.flexStart,config.spot,queuedProvisioning.enabled,config.reservationAffinity.consumeReservationType,autoscaling.maxNodeCount,config.machineType,locations)'

step 'Get credentials for cluster my-cluster'
credentials gcloud container clusters get-credentials my-cluster --location=us-east5

step 'Show the pods of sleep-1'
run kubectl get pods --selector=job-name=sleep-1 --output=wide --namespace="$namespace"

step 'Show the events of pods that wait'
show_waiting kubectl get pods \
    --selector=job-name=sleep-1 \
    --field-selector=status.phase=Pending \
    --output=name \
    --namespace="$namespace"

advice='Run cleanup.sh, then provision.sh, to create the pools as the spec says.'
changes='A script that changes it while pods run: flexslice diff --emit migrate OLD NEW, where OLD is the spec that it was made by, and NEW this one.'
step 'Compare with the spec'
if ((wrong > 0)); then
  if "$changeable"; then advice=${changes:-$advice}; fi
  echo "$wrong of the checks above failed. ${advice-}" >&2
  doing=
  exit 1
fi
