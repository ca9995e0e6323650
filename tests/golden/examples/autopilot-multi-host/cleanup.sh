#!/usr/bin/env bash
# Clean up job-1.
# v6e 4x4 with flex-start: 16 chips on 4 nodes of ct6e-standard-4t.
#
# Compiled by flexslice from spec.yaml: change the spec and compile again, rather than editing this file.
#
#   bash cleanup.sh                 does it; running it again is safe
#   bash cleanup.sh --dry-run       prints the commands instead of running them
#   bash cleanup.sh --namespace NS  uses namespace NS instead of that of kubectl's current context
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

# A denied request is an error, not an empty list.
export CLOUDSDK_COMPUTE_ALLOW_PARTIAL_ERROR=false

workload=job-1

# Whether to delete it. After a list that failed deleting is tried, since what exists is not known.
present() {
  local name=$1 found
  "$dry_run" || ! found=$("${@:2}") || [[ ${found%%$'\t'*} == "$name" ]]
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

# Deletes a Kubernetes object. A kind that the cluster does not have has no objects. When the
# credentials failed, kubectl is not run: it would talk to localhost.
delete() {
  local what=$1 api=$2 answer
  if "$dry_run"; then
    run "${@:3}"
  elif [[ ! ${kubeconfig-the one of the user} ]]; then
    echo '    not tried without credentials' >&2
    return 1
  elif answer=$(kubectl get --raw="$api" 2>&1); then
    answer=$("${@:3}") || return
    [[ ${*: -1} == --namespace=* ]] && what+=" in namespace $namespace; if you applied it to another one, it is still there"
    echo "    ${answer:-no $what}"
  elif [[ $answer == *'(NotFound)'* ]]; then
    echo "    no $what: the cluster does not have this kind"
  else
    echo "$answer" >&2
    return 1
  fi
}

# A failure is reported at the end: it must not keep a later step from deleting what is billed.
failed=()
try() { "$@" || failed+=("$doing"); }

# What stays and is billed, and what could not be asked for.
billed=()
unknown=()
stays() {
  local what=$1 found
  if "$dry_run"; then
    run "${@:2}"
    billed+=("$what")
  elif ! found=$("${@:2}"); then
    unknown+=("$what")
  elif [[ $found ]]; then
    billed+=("$what")
  fi
}

# Reports what failed, and stops there.
stop_if_failed() {
  ((${#failed[@]} > 0)) || return 0
  {
    echo "${0##*/}: failed:"
    printf '    %s\n' "${failed[@]}"
    if [[ ${billed[*]-} ]]; then
      echo 'What stays and is billed:'
      printf '    %s\n' "${billed[@]}"
    fi
    if [[ ${unknown[*]-} ]]; then
      echo 'It cannot tell whether these are billed:'
      printf '    %s\n' "${unknown[@]}"
    fi
    echo 'What is named there may still exist, and nodes are billed. Running the script again is safe.'
  } >&2
  doing=
  exit 1
}

# Says where it was looked for: in another project than you think of, it would seem to be gone. Disks
# of claims, the further arguments, outlive a cluster.
not_there() {
  local project=${2-} each
  project=${project:-$(gcloud config get-value project 2>/dev/null)} || true
  echo "    no $1 in project $project: nothing deleted there"
  finally="nothing of $workload is billed in project $project"
  for each in "${@:3}"; do
    unknown+=("$each")
  done
}

# `kubectl apply` used the namespace of the current context, so it is read before the script gets
# credentials of its own.
if [[ ! $namespace ]]; then
  namespace=$(kubectl config view --minify --output='jsonpath={.contexts[0].context.namespace}' 2>/dev/null) || true
  namespace=${namespace:-default}
fi
step "Use namespace $namespace"

finally='nothing of job-1 is left; GKE removes the nodes that nothing else needs'

step 'Look for cluster my-autopilot'
if present my-autopilot gcloud container clusters list \
    --location=us-east5 \
    --filter='name~^my-autopilot$' \
    --format='value(name,status,resourceLabels.flexslice,resourceLabels.flexslice-namespace)' \
    --verbosity=error; then

  step 'Get credentials for cluster my-autopilot'
  try credentials gcloud container clusters get-credentials my-autopilot --location=us-east5

  step 'Delete Job job-1'
  try delete 'Job job-1' /apis/batch kubectl delete job/job-1 \
      --ignore-not-found \
      --timeout=5m \
      --namespace="$namespace"

  step 'Delete Service job-1'
  try delete 'Service job-1' /api/v1 kubectl delete service/job-1 \
      --ignore-not-found \
      --timeout=5m \
      --namespace="$namespace"
else
  not_there 'cluster my-autopilot in us-east5' ''
fi

stop_if_failed

list=
# Neither list has what somebody else's nodes cost.
besides=${finally##*; }
[[ $besides == *'stay billed' ]] || besides=
[[ ! ${left[*]-} ]] || finally="nothing that provision.sh created for $workload is left; what is listed above stays"
((${#billed[@]} == 0)) || printf -v list '; %s' "${billed[@]}"
[[ ! $list ]] || finally="of $workload is still billed: ${list:2}"
if ((${#unknown[@]} > 0)); then
  printf -v list '; %s' "${unknown[@]}"
  [[ $finally == *'still billed'* ]] && finally+='. ' || finally="of $workload "
  finally+="it cannot tell whether these are billed: ${list:2}"
fi
[[ ! $list || ! $besides ]] || finally+=". Besides, $besides"
! "$dry_run" || finally="a run that finds everything, and deletes it, would say: $finally"
echo "${0##*/}: $finally" >&2
