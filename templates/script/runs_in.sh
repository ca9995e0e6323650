
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
asked_namespace=$namespace
# The place whose nodes may be billed, and the script that runs there.
trying=
child=
kubeconfig=
# Waits between two looks at what is awaited.
pause=15

# A script of a place. Those that touch no object of Kubernetes take no namespace.
place_script() {
  local words=("$here/$1/$2")
  if [[ $asked_namespace ]] && grep -qF -- '[--namespace NS]' "${words[0]}"; then
    words+=(--namespace "$namespace")
  fi
  run bash "${words[@]}"
}

# kubectl talks to the cluster of the place, and scripts read your own kubeconfig.
in_place() {
  if [[ $kubeconfig ]] && ! "$dry_run"; then
    KUBECONFIG=$kubeconfig "$@"
  else
    run "$@"
  fi
}

# Splits arguments into the command that gets credentials and the one that looks for pods.
read_commands() {
  get_credentials=()
  while [[ $1 != -- ]]; do
    get_credentials+=("$1")
    shift
  done
  get_nodes=("${@:2}")
}

use_cluster() {
  ((${#get_credentials[@]} > 0)) || return 0
  "$dry_run" || kubeconfig=${kubeconfig:-$(mktemp)}
  in_place "${get_credentials[@]}"
}

# Whether each host has its pod. A pod without a node is one that waits.
all_have_nodes() {
  local found without with
  found=$(in_place "${get_nodes[@]}") || return 1
  without=${found//'[]'/}
  with=${without//[!\[]/}
  [[ $without == "$found" ]] && ((${#with} >= $1))
}

# Ends here where an earlier run found nodes: two places would run the workload twice.
runs_in() {
  local place=$1 hosts=$2 get_credentials get_nodes
  read_commands "${@:3}"
  if "$dry_run"; then
    use_cluster
    in_place "${get_nodes[@]}"
    return 0
  fi
  if use_cluster 2>/dev/null && all_have_nodes "$hosts" 2>/dev/null; then
    tell_place "$place"
    exit 0
  fi
  echo '    not there'
}

tell_place() {
  echo "    runs in $1: verify.sh there shows its pods, and cleanup.sh there deletes what it uses"
}

# Stops what runs in the place, with the commands that it has started.
stop_child() {
  [[ $child ]] || return 0
  kill -TERM -- "-$child" 2>/dev/null || true
  wait "$child" 2>/dev/null || true
  child=
}

# Runs cleanup.sh of a place, and sets `said` to its last line, which tells what stays.
said=
cleanup_of() {
  if "$dry_run"; then
    place_script "$1" cleanup.sh
    return
  fi
  said=$(place_script "$1" cleanup.sh 2>&1 | {
    last=
    while IFS= read -r line; do
      printf '%s\n' "$line" >&2
      last=$line
    done
    printf '%s' "$last"
  })
}

# Says what stays billed where it gave up, such as the disks of claims.
kept=()
tell_kept() {
  local each
  for each in "${kept[@]}"; do
    echo "${0##*/}: in $each" >&2
  done
}

# Deletes what the place has got. GKE refuses that while it creates a node pool.
clean_up() {
  local place=$1 attempt
  for attempt in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    if cleanup_of "$place"; then
      trying=
      [[ $said != *'billed: '* ]] || kept+=("$place, ${said#cleanup.sh: }")
      return 0
    fi
    ((attempt == 20)) || sleep $((pause * 2))
  done
  echo "${0##*/}: $place may still be billed: run bash $place/cleanup.sh until it says that nothing is left" >&2
  trying=
  return 1
}

# A script that is stopped leaves nothing billed.
leave() {
  stop_child
  if [[ $trying ]]; then
    echo "${0##*/}: stopped; cleaning up $trying" >&2
    # shellcheck disable=SC2064  # the place of now
    trap "echo '${0##*/}: $trying may still be billed: run bash $trying/cleanup.sh' >&2; exit 130" INT TERM HUP
    clean_up "$trying" || true
    tell_kept
  fi
  rm -f "$kubeconfig"
}
trap 'status=$?; set +e; leave; (exit "$status"); at_exit' EXIT
