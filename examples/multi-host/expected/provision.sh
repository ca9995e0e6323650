#!/usr/bin/env bash
# Provision job-1.
# v6e 4x4 with flex-start: 16 chips on 4 nodes of ct6e-standard-4t.
#
# Compiled by flexslice from spec.yaml: change the spec and compile again, rather than editing this file.
#
#   bash provision.sh                 does it; running it again is safe
#   bash provision.sh --dry-run       prints the commands instead of running them
#   bash provision.sh --namespace NS  uses namespace NS instead of that of kubectl's current context
set -euo pipefail

# The current step, and what exists by now, for the message when the script stops.
doing=
there=()
at_exit() {
  local status=$? each
  if ((status == 0)) || [[ ! $doing ]]; then
    return 0
  fi
  {
    echo "${0##*/}: stopped at: $doing. Nothing after that was run; running the script again is safe."
    ((${#there[@]} > 0)) || return 0
    echo 'What exists stays, and nodes are billed, until cleanup.sh deletes it:'
    for each in "${there[@]}"; do
      [[ "Create $each" != "$doing" ]] ||
        each+=' (perhaps: GKE may go on creating it, or keep it with status ERROR)'
      echo "    $each"
    done
  } >&2
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

# A denied request is an error, not an empty list.
export CLOUDSDK_COMPUTE_ALLOW_PARTIAL_ERROR=false

workload=job-1

# Whether to create it. After a list that failed nothing is created, since what exists is not known.
# A list prints the name, the status, and the workload and namespace that it is for.
missing() {
  local name=$1 found status='' of='' space=''
  "$dry_run" && return
  found=$("${@:2}") || exit
  IFS=$'\t' read -r found status of space <<<"$found"
  if [[ $of == *flexslice-namespace=* ]]; then
    space=${of#*flexslice-namespace=} of=${of#flexslice=} of=${of%% *}
  fi
  if [[ $found != "$name" ]]; then
    there+=("${doing#Create }")
    return
  elif [[ $status == ERROR ]]; then
    echo '    exists with status ERROR: GKE could not create it. Delete it, then run the script again.' >&2
    exit 1
  elif [[ $status == STOPPING ]]; then
    echo '    is being deleted: run the script again when it is gone' >&2
    exit 1
  elif [[ $of == "$workload" && ${space:-$namespace} != "$namespace" ]]; then
    echo "    belongs to $workload in namespace $space. Name another in the spec: provisioning.nodePool, or the cluster." >&2
    exit 1
  elif [[ $of != "$workload" ]]; then
    local then='so cleanup.sh leaves it'
    [[ ${there[*]-} != 'cluster '* ]] || then='but cleanup.sh deletes its cluster'
    echo "    already exists, unchanged; has no label flexslice=$workload, $then"
  else
    there+=("${doing#Create }")
    local all=''
    [[ $doing != 'Create cluster'* ]] || all=' with all that runs in it'
    echo "    already exists, unchanged; cleanup.sh deletes it$all"
  fi
  return 1
}

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

# Stops when what exists is not what the spec says: the pods would wait forever.
same() {
  expect "$@"
  if ((wrong > 0)); then
    if "$changeable"; then advice=${changes:-$advice}; fi
    echo "    is not what the spec says. $advice" >&2
    exit 1
  fi
}

# `kubectl apply` used the namespace of the current context, so it is read before the script gets
# credentials of its own.
if [[ ! $namespace ]]; then
  namespace=$(kubectl config view --minify --output='jsonpath={.contexts[0].context.namespace}' 2>/dev/null) || true
  namespace=${namespace:-default}
fi
step "Use namespace $namespace"

advice='Run cleanup.sh, then this script again; a node pool that is not this workload'\''s own needs another name.'
changes='A script that changes it while pods run: flexslice diff --emit migrate OLD NEW, where OLD is the spec that it was made by, and NEW this one.'

step 'Create node pool job-1-pool'
if missing job-1-pool gcloud container node-pools list \
    --cluster=my-cluster \
    --location=us-east5 \
    --filter='name~^job-1-pool$' \
    --format='value(name,status,config.resourceLabels.flexslice,config.resourceLabels.flexslice-namespace)' \
    --verbosity=error; then
  # --machine-type=ct6e-standard-4t: the only v6e machine type for 4x4
  # --max-nodes=4: 4x4 is 16 chips; 16 / 4 chips per ct6e-standard-4t = 4 hosts
  run gcloud container node-pools create job-1-pool \
      --cluster=my-cluster \
      --location=us-east5 \
      --node-locations=us-east5-b \
      --machine-type=ct6e-standard-4t \
      --tpu-topology=4x4 \
      --flex-start \
      --enable-autoscaling \
      --num-nodes=0 \
      --min-nodes=0 \
      --max-nodes=4 \
      --reservation-affinity=none \
      --no-enable-autorepair \
      --location-policy=ANY \
      --labels=flexslice=job-1,flexslice-namespace="$namespace"
else
  same 'status=RUNNING or RECONCILING or PROVISIONING' \
      config.flexStart=True \
      'config.spot=False or none' \
      'queuedProvisioning.enabled=False or none' \
      'config.reservationAffinity.consumeReservationType=NO_RESERVATION or ANY_RESERVATION or UNSPECIFIED or none' \
      autoscaling.maxNodeCount=4 \
      config.machineType=ct6e-standard-4t \
      placementPolicy.tpuTopology=4x4 \
      locations=us-east5-b \
      -- gcloud container node-pools describe job-1-pool \
      --cluster=my-cluster \
      --location=us-east5 \
      --format='csv[no-heading,separator="|"](status,config.flexStart,config.spot,queuedProvisioning.enabled,config.reservationAffinity.consumeReservationType,autoscaling.maxNodeCount,config.machineType,placementPolicy.tpuTopology,locations)'
fi

step 'Next: apply the manifests with kubectl, then run verify.sh'
