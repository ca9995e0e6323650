#!/usr/bin/env bash
# Check what big-run needs.
# 2 slices of v6e 4x8 with on-demand nodes: 64 chips on 16 nodes of ct6e-standard-4t.
#
# Compiled by flexslice from spec.yaml: change the spec and compile again, rather than editing this file.
#
#   bash preflight.sh            does it; running it again is safe
#   bash preflight.sh --dry-run  prints the commands instead of running them
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

# A denied request is an error, not an empty list.
export CLOUDSDK_COMPUTE_ALLOW_PARTIAL_ERROR=false

# A request that is denied or not answered does not show that something is missing.
export CLOUDSDK_CORE_SHOULD_PROMPT_TO_ENABLE_API=false
missing_count=0
unknown_count=0
later_count=0
ok() { echo "ok           $*"; }
missing() {
  echo "missing      $1: ${*:2}"
  missing_count=$((missing_count + 1))
}
warning() { "$dry_run" || echo "warning      $1: ${*:2}"; }
cannot_tell() {
  "$dry_run" && return
  echo "cannot tell  $1: ${*:2}"
  unknown_count=$((unknown_count + 1))
}

# What can only be checked in a cluster that provision.sh still has to create.
no_cluster=
later() {
  [[ $no_cluster ]] || return
  echo "not yet      $1"
  later_count=$((later_count + 1))
}

# Without its programs or a login, no check says anything.
give_up() {
  echo "${0##*/}: $*" >&2
  doing=
  exit 3
}
need() {
  local program
  "$dry_run" && return
  for program; do
    command -v "$program" >/dev/null || give_up "$program is not installed, or not on PATH"
  done
}

scratch=$(mktemp -d) || exit 3
trap 'at_exit; rm -rf "$scratch"' EXIT
connected=true

# Runs a command that only reads; `answer` is what it prints. When it fails, the check $1 ends here:
# what does not exist is missing, unless `absent` says otherwise.
ask() {
  local what=$1 problem
  shift
  if "$dry_run"; then
    run "$@"
    return 1
  fi
  if [[ $1 == kubectl || "$1 ${2-}" == 'gcloud container' ]] && later "$what"; then
    return 1
  fi
  if [[ $1 == kubectl ]] && ! "$connected"; then
    cannot_tell "$what" 'no connection to the cluster'
    return 1
  fi
  answer=$("$@" 2>"$scratch/problem" </dev/null) && return
  problem=$(tr -s '[:space:]' ' ' <"$scratch/problem")
  problem=${problem#*ERROR: }
  case $problem in
    *'gcloud auth login'*) give_up "no valid login: ${problem:0:300}" ;;
    *code=404* | *'(NotFound)'* | *NOT_FOUND* | *'was not found'* | *'not found: 404'*)
      "${absent:-missing}" "$what" "${problem:0:300}"
      ;;
    *)
      [[ $problem != *'nable to connect'* && $problem != *'was refused'* ]] || connected=false
      cannot_tell "$what" "${problem:0:300}"
      ;;
  esac
  return 1
}

# The GKE version of the control plane, empty where it is not known, and then what else is asked of
# the cluster.
version=
cluster_exists() {
  local otherwise=$2
  absent=${otherwise:+to_create} ask "$1" "${@:3}" || return 0
  IFS='|' read -ra cluster <<<"$answer"
  version=${cluster[0]-}
  [[ $answer != *gitVersion* ]] || version=$(sed -n 's/.*"gitVersion": *"v\([^"]*\)".*/\1/p' <<<"$answer")
  ok "$1: GKE $version"
}
to_create() {
  ok "$1: $otherwise"
  no_cluster=yes
}

# Whether the API is among those that a command lists; otherwise $3 is what that means.
enabled() {
  local what=$1 api=$2 otherwise=$3
  ask "$what" "${@:4}" || return 0
  if [[ $answer == "$api" ]]; then
    ok "$what"
  elif [[ $otherwise ]]; then
    ok "$what: $otherwise"
    no_cluster=yes
  else
    missing "$what" 'not enabled'
  fi
}

# Whether so much of a metric is left, of those that a command lists with limit and usage; otherwise
# $2 is what that means.
has_quota() {
  local what=$1 verdict=$2 metric=$3 amount=$4 name limit usage
  absent=cannot_tell ask "$what" "${@:5}" || return 0
  while IFS=, read -r name limit usage; do
    [[ $name == "$metric" ]] || continue
    # gcloud prints them as 2000.0 or 9.2e+18, more than bash can count.
    LC_ALL=C printf -v limit %.0f "$limit" && LC_ALL=C printf -v usage %.0f "$usage"
    ((${#limit} < 19)) || limit=999999999999999999
    if ((limit - usage >= amount)); then
      ok "$what: $limit less $usage in use"
    elif ((limit - usage >= amount * ${to_come-1})); then
      cannot_tell "$what" "the limit is $limit, and $usage are in use, perhaps by${own-}"
    else
      "$verdict" "$what" "the limit is $limit, and $usage are in use"
    fi
    return
  done <<<"$answer"
  cannot_tell "$what" "the region does not list $metric"
}

# Whether the limit is high enough: that of the region, or else of all that have none of their own.
# Rows are region, TPU family, value and regions. How much is in use is not shown. Where it is too
# low, $2 is what that means.
has_quota_limit() {
  local what=$1 verdict=$2 of_region=$3 of_family chips=$5 region family value regions limit=
  of_family=$(tr '[:lower:]' '[:upper:]' <<<"$4")
  shift 5
  [[ " $*" == *' --project='* ]] || set -- "$@" "--project=$(gcloud config get-value project 2>/dev/null)"
  absent=cannot_tell ask "$what" "$@" || return 0
  while IFS='|' read -r region family value regions; do
    [[ ${value:--} != - ]] || continue
    [[ $region == "$of_region" || (! $region && ! $limit && " $regions " == *" $of_region "*) ]] || continue
    [[ $(tr '[:lower:]' '[:upper:]' <<<"$family") == "$of_family" ]] || continue
    limit=$value
  done <<<"$answer"
  if [[ ! $limit ]]; then
    cannot_tell "$what" "no limit is shown for $of_region"
  elif ((limit == -1 || limit >= chips)); then
    ok "$what: the limit is $limit"
  else
    "$verdict" "$what" "the limit is $limit"
  fi
}

# Whether the tag of a controller's image is one of these releases, or later on the same branch, or
# later than all of them.
has_tag() {
  local what=$1 releases=${2#releases=} release tag newest
  ask "$what" "${@:3}" || return 0
  tag=${answer##*:v}
  tag=${tag%%@*}
  if [[ ! $tag =~ ^[0-9]+\.[0-9]+\.[0-9]+ ]]; then
    cannot_tell "$what" "no version in the image '$answer'"
    return
  fi
  for release in ${releases//,/ }; do
    newest=$(printf '%s\n' "$release" "$tag" | sort -V | tail -n 1)
    [[ $newest == "$tag" && ${release%.*} == "${tag%.*}" ]] && break
  done
  if [[ $newest == "$tag" ]]; then
    ok "$what: $tag"
  else
    missing "$what" "it has $tag"
  fi
}

# kubectl talks to the cluster of the spec, whatever your current context is; your own kubeconfig
# stays as it is.
is_connected() {
  [[ ! $no_cluster ]] || return 0
  "$dry_run" || export KUBECONFIG=$scratch/kubeconfig
  absent=cannot_tell ask "$@" || "$dry_run" || connected=false
}

# Whether the cluster has GKE version $2 or a later one.
is_new_enough() {
  if "$dry_run"; then
    return
  elif later "$1"; then
    return
  elif [[ ! $version ]]; then
    cannot_tell "$1" 'the version of the cluster is not known'
  elif [[ $(printf '%s\n' "$2" "$version" | sort -V | head -n 1) == "$2" ]]; then
    ok "$1"
  else
    missing "$1" "the cluster has $version"
  fi
}

# Whether the cluster has an API with these kinds.
is_served() {
  local what=$1 site=$2 kinds=${3#kinds=} kind
  absent=is_not_installed ask "$what" "${@:4}" || return 0
  answer=${answer//[[:space:]]/}
  for kind in ${kinds//,/ }; do
    [[ $answer == *"\"kind\":\"$kind\""* ]] && continue
    missing "$what" "it has no $kind; $site"
    return
  done
  ok "$what"
}
is_not_installed() { missing "$1" 'not installed, or with other versions of its API'; }

# Node pools of the workload that exist are in use already: `own` names them, and `to_come` is the
# share of the others in what all of them need.
own=
own_pools() {
  local what=$1 pool new=0
  shift
  for pool; do
    if [[ " ${cluster[1]-} " == *" $pool "* ]]; then
      own+=" $pool"
    else
      new=$((new + 1))
    fi
  done
  to_come="$new / $#"
  [[ ! $own ]] || ok "$what:$own"
}

need gcloud kubectl
enabled 'API container.googleapis.com' container.googleapis.com '' gcloud services list \
    --enabled \
    --filter=config.name=container.googleapis.com \
    --format='value(config.name)'
cluster_exists 'Cluster my-cluster in us-east5' '' gcloud container clusters describe my-cluster \
    --location=us-east5 \
    --format='csv[no-heading,separator="|"](currentMasterVersion,nodePools[].name.list(separator=" "))'
own_pools 'Node pools that exist already' big-run-pool-0 big-run-pool-1
has_quota_limit 'Quota of 64 chips, TPUs per TPU family, tpu_family: CT6E in us-east5' missing us-east5 CT6E 64 gcloud beta quotas info describe TPUS-PER-TPU-FAMILY-per-project-region \
    --service=compute.googleapis.com \
    --flatten='dimensionsInfos[]' \
    --format='csv[no-heading,separator="|"](dimensionsInfos.dimensions.region,dimensionsInfos.dimensions.tpu_family,dimensionsInfos.details.value,dimensionsInfos.applicableLocations.list(separator=" "))'
has_quota 'Quota of 1600 GB for disks, HDB_TOTAL_GB in us-east5' missing HDB_TOTAL_GB 1600 gcloud compute regions describe us-east5 \
    --flatten='quotas[]' \
    --format='csv[no-heading](quotas.metric,quotas.limit,quotas.usage)'
is_new_enough 'GKE 1.31.2-gke.1115000 for v6e on Standard' 1.31.2-gke.1115000
is_new_enough 'GKE 1.27.4-gke.900 for Multislice on Standard' 1.27.4-gke.900
is_connected 'Credentials for cluster my-cluster' gcloud container clusters get-credentials my-cluster \
    --location=us-east5
is_served 'JobSet with the API jobset.x-k8s.io/v1alpha2' https://jobset.sigs.k8s.io kinds=JobSet kubectl get \
    --raw=/apis/jobset.x-k8s.io/v1alpha2
has_tag 'JobSet 0.9.0 or later for groupName of a replicated Job' releases=0.9.0 kubectl get deployments \
    --all-namespaces \
    --field-selector=metadata.name=jobset-controller-manager \
    --output='jsonpath={.items[*].spec.template.spec.containers[?(@.name=="manager")].image}'

doing=
"$dry_run" && exit
later=
((later_count == 0)) || later=", $later_count not yet: run it again when the cluster exists"
echo "${0##*/}: $missing_count missing, $unknown_count cannot tell$later" >&2
((missing_count == 0))
