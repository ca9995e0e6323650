#!/usr/bin/env bash
# Clean up nightly.
# v6e 4x4 with flex-start with queued provisioning: 16 chips on 4 nodes of ct6e-standard-4t.
#
# Compiled by flexslice from spec.yaml: change the spec and compile again, rather than editing this file.
#
#   bash cleanup.sh                 does it; running it again is safe
#   bash cleanup.sh --dry-run       prints the commands instead of running them
#   bash cleanup.sh --force         also deletes what other workloads use
#   bash cleanup.sh --namespace NS  fails unless NS is team-a, the namespace of the spec
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
  echo "usage: bash ${0##*/} [--dry-run] [--force] [--namespace NS]" >&2
  exit 2
}

dry_run=false
force=false
namespace=
while (($# > 0)); do
  case $1 in
    --dry-run) dry_run=true ;;
    --force) force=true ;;
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

workload=nightly

# Whether to delete it. After a list that failed deleting is tried, since what exists is not known.
present() {
  local name=$1 found
  "$dry_run" || ! found=$("${@:2}") || [[ ${found%%$'\t'*} == "$name" ]]
}

# Whether it exists and is this workload's own: a list prints the name, the status, and the workload
# and namespace that provision.sh created it for. Version 1.0 wrote no namespace.
left=()
own() {
  local name=$1 found status='' of='' space=''
  "$dry_run" && return
  if ! found=$("${@:2}"); then
    failed+=("$doing")
    return 1
  fi
  IFS=$'\t' read -r found status of space <<<"$found"
  if [[ $of == *flexslice-namespace=* ]]; then
    space=${of#*flexslice-namespace=} of=${of#flexslice=} of=${of%% *}
  fi
  if [[ $found != "$name" ]]; then
    echo '    gone already'
    return 1
  elif [[ $of != "$workload" || ${space:-$namespace} != "$namespace" ]]; then
    echo "    left: is not labeled flexslice=$workload, flexslice-namespace=$namespace"
    left+=("${doing#Delete }")
    # One of the same name in another namespace may be meant. Policies cost nothing.
    [[ $of != "$workload" || $doing == *' policy '* ]] ||
      billed+=("${doing#Delete }, which is labeled flexslice-namespace=$space")
    return 1
  fi
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

# Succeeds when no pod of another workload runs on the node pool or waits for it. What cannot be seen
# keeps it: somebody's service may run there.
unused() {
  local others=()
  "$dry_run" || "$force" && return
  if ! find_others "$@"; then
    keep 'cannot see whether pods of other workloads use it'
  elif ((${#others[@]} > 0)); then
    keep "pods of other workloads use it: ${others[*]}"
  fi
}

keep() {
  echo "    left: $1"
  failed+=("$doing: $1 (--force deletes it anyway)")
  return 1
}

# Sets `others` to the pods of other workloads on a node pool, or in the cluster without one. Pods of
# GKE and of controllers go with it.
find_others() {
  local pool=$1 label=$2 nodes='' pods own place waits space name owner
  [[ ${kubeconfig-the one of the user} ]] || return
  [[ ! $pool ]] || nodes=$(kubectl get nodes --selector="cloud.google.com/gke-nodepool=$pool" --output=name) || return
  own=$(kubectl get pods --selector="$label" --output=name --namespace="$namespace") || return
  pods=$(kubectl get pods --all-namespaces \
    --field-selector='status.phase!=Succeeded,status.phase!=Failed' \
    --output='jsonpath={range .items[*]}{.spec.nodeName}|{.spec.nodeSelector.cloud\.google\.com/gke-nodepool}|{.metadata.namespace}|{.metadata.name}|{.metadata.ownerReferences[0].kind}{"\n"}{end}') || return
  while IFS='|' read -r place waits space name owner; do
    [[ $name && $owner != DaemonSet && $owner != Node && $space != kube-system ]] || continue
    if [[ $pool ]]; then
      [[ $waits == "$pool" || $'\n'$nodes$'\n' == *$'\n'"node/$place"$'\n'* ]] || continue
    else
      [[ $space != *-system && $space != kube-* && $space != gke-* ]] || continue
    fi
    [[ $space != "$namespace" || $'\n'$own$'\n' != *$'\n'"pod/$name"$'\n'* ]] || continue
    others+=("$space/$name")
  done <<<"$pods"
}

# Reports each node pool of this workload that the command lists as failed, unless its deletion is
# reported already.
remains() {
  local names name space
  "$dry_run" && return
  names=$("$@") || return
  while IFS=$'\t' read -r name space; do
    [[ $name && ${space:-$namespace} == "$namespace" && " ${failed[*]-} " != *"Delete node pool $name"[\ :]* ]] ||
      continue
    failed+=("node pool $name: still exists and is billed; the cleanup.sh of the spec that created it deletes it")
  done <<<"$names"
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

# `kubectl apply` takes no other namespace than that of the manifests.
of_spec=team-a
if [[ ${namespace:-$of_spec} != "$of_spec" ]]; then
  echo "${0##*/}: the spec says namespace $of_spec, so --namespace $namespace has no objects of it" >&2
  exit 2
fi
namespace=$of_spec
step "Use namespace $namespace"

finally='nothing of nightly is left, so nothing is billed for it'

step 'Look for cluster my-cluster'
if present my-cluster gcloud container clusters list \
    --location=us-east5 \
    --filter='name~^my-cluster$' \
    --format='value(name,status,resourceLabels.flexslice,resourceLabels.flexslice-namespace)' \
    --verbosity=error; then

  step 'Get credentials for cluster my-cluster'
  try credentials gcloud container clusters get-credentials my-cluster --location=us-east5

  step 'Delete Job nightly'
  try delete 'Job nightly' /apis/batch kubectl delete job/nightly \
      --ignore-not-found \
      --timeout=5m \
      --namespace="$namespace"

  step 'Delete Service nightly'
  try delete 'Service nightly' /api/v1 kubectl delete service/nightly \
      --ignore-not-found \
      --timeout=5m \
      --namespace="$namespace"

  step 'Delete node pool nightly-pool'
  if own nightly-pool gcloud container node-pools list \
      --cluster=my-cluster \
      --location=us-east5 \
      --filter='name~^nightly-pool$' \
      --format='value(name,status,config.resourceLabels.flexslice,config.resourceLabels.flexslice-namespace)' \
      --verbosity=error && unused nightly-pool job-name=nightly; then
    try run gcloud container node-pools delete nightly-pool \
        --cluster=my-cluster \
        --location=us-east5 \
        --quiet
  fi

  step 'Look for what is left of nightly'
  try remains gcloud container node-pools list \
      --cluster=my-cluster \
      --location=us-east5 \
      --filter=config.resourceLabels.flexslice=nightly \
      --format='value(name,config.resourceLabels.flexslice-namespace)' \
      --verbosity=error
else
  not_there 'cluster my-cluster in us-east5' ''
fi

if ((${#left[@]} > 0)); then
  {
    echo "${0##*/}: left, since provision.sh did not create it for this workload:"
    printf '    %s\n' "${left[@]}"
    echo 'If nobody needs it, delete it with the command that --dry-run prints: nodes are billed.'
  } >&2
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
