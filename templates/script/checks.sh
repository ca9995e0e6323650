
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
