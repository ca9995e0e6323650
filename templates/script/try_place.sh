
# Runs a command until the time of the place is over.
until_deadline() {
  if "$dry_run"; then
    "$@"
    return
  fi
  # A process group of its own, so that its commands can be stopped with it.
  set -m
  "$@" </dev/null &
  child=$!
  set +m
  while kill -0 "$child" 2>/dev/null; do
    if ((SECONDS >= deadline)); then
      echo '    its time is over' >&2
      stop_child
      return 1
    fi
    sleep 1
  done
  local status=0
  wait "$child" || status=$?
  child=
  return "$status"
}

apply_manifests() {
  local file
  for file in volumes.yaml manifests.yaml; do
    [[ -e $here/$1/$file ]] || continue
    in_place kubectl apply --filename="$here/$1/$file" --namespace="$namespace" || return
  done
}

await_nodes() {
  until all_have_nodes "$1"; do
    if ((SECONDS >= deadline)); then
      echo '    its time is over' >&2
      return 1
    fi
    sleep "$pause"
  done
}

# Ends the script where the place has nodes for all pods, and else leaves nothing there.
try_place() {
  local place=$1 hosts=$2 seconds=$3 get_credentials get_nodes deadline
  read_commands "${@:4}"
  deadline=$((SECONDS + seconds))
  if ! until_deadline place_script "$place" preflight.sh; then
    echo "    $place lacks something; nothing was created there"
    return 0
  fi
  "$dry_run" || trying=$place
  if until_deadline place_script "$place" provision.sh && use_cluster && apply_manifests "$place"; then
    if "$dry_run"; then
      in_place "${get_nodes[@]}"
    elif await_nodes "$hosts"; then
      trying=
      doing=
      tell_place "$place"
      tell_kept
      exit 0
    fi
  fi
  step "Clean up $place, which has no nodes for all pods"
  clean_up "$place"
}
