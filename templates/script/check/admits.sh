
# Whether queue $3 has a flavor for these nodes with a topology, or without: $2 is what the workload asks for, and Kueue admits it
# into no other. $4 and $5 are labels of the nodes. Where queues.yaml makes the queue, $6 says so; its flavors have a taint.
# shellcheck disable=SC2016 # kubectl expands it
tpu_flavors='jsonpath={range .spec.resourceGroups[*].flavors[*]}{.resources[?(@.name=="google.com/tpu")].name}={.name} {end}'
flavor_rows='jsonpath={range .items[*]}{.metadata.name}|{.spec.topologyName}|{.spec.nodeLabels.cloud\.google\.com/gke-tpu-accelerator}|{.spec.nodeLabels.cloud\.google\.com/gke-tpu-topology}|{.spec.nodeTaints[*].key}{"\n"}{end}'
admits() {
  local what=$1 asked=$2 name=$3 accelerator=$4 shape=$5 made=$6 queue flavors flavor topology of_nodes of_shape taints
  local ours='' fitting='' others=''
  shift 6
  absent=${made:+is_to_come} ask "$what" "$@" '--output=jsonpath={.spec.clusterQueue}' || return 0
  queue=$answer
  ask "$what" kubectl get "clusterqueues.kueue.x-k8s.io/$queue" --output="$tpu_flavors" || return 0
  flavors=" $answer"
  ask "$what" kubectl get resourceflavors.kueue.x-k8s.io --output="$flavor_rows" || return 0
  while IFS='|' read -r flavor topology of_nodes of_shape taints; do
    [[ $flavors == *" google.com/tpu=$flavor "* ]] || continue
    if [[ " $taints " == *' flexslice/flavor '* ]]; then
      ours+=" $flavor"
      [[ $made ]] || continue
    fi
    [[ ${of_nodes:-$accelerator} == "$accelerator" && ${of_shape:-$shape} == "${shape:-$of_shape}" ]] || continue
    if [[ ${topology:+topology} == "${asked/none/}" ]]; then
      fitting+=" $flavor"
    else
      others+=" $flavor"
    fi
  done <<<"$answer"
  if [[ $fitting ]]; then
    ok "$what:$fitting"
  elif [[ $made && $ours ]]; then
    ok "$what: not yet; queues.yaml adds the flavor"
  elif [[ $asked == none && $ours && ! $others ]]; then
    missing "$what" "only pods compiled with 'queue: $name' tolerate the taints of$ours"
  elif [[ ! $others ]]; then
    missing "$what" "ClusterQueue $queue has no flavor with google.com/tpu for $accelerator${shape:+ $shape}"
  elif [[ $asked == none ]]; then
    missing "$what" "there is one in$others: write 'queue: $name', without 'topology: none'"
  else
    missing "$what" "there is none in$others, so Kueue never admits the workload: write 'queue: {name: $name, topology: none}'"
  fi
}
is_to_come() { ok "$1: $made"; }
