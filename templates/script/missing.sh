
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
