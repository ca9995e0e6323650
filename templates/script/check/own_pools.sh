
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
