
# Node pools of the workload that exist are in use already: `own` names them, and `to_come` are the
# chips of the others, of $2 for all.
own=
own_pools() {
  local what=$1 chips=$2 pool new=0
  shift 2
  for pool; do
    if [[ " ${cluster[1]-} " == *" $pool "* ]]; then
      own+=" $pool"
    else
      new=$((new + 1))
    fi
  done
  to_come=$((chips * new / $#))
  [[ ! $own ]] || ok "$what:$own"
}
