
# Whether a reservation, of machines or of chips, has so many chips that are not in use.
has_free_chips() {
  local what=$1 chips=$2 per_machine=$3 machine=$4 type count used reserved in_use free=0 number
  ask "$what" "${@:5}" || return 0
  if [[ ! $answer ]]; then
    missing "$what" 'does not exist'
    return
  fi
  while IFS='|' read -r type count used reserved in_use; do
    if [[ $type && $type != "$machine" ]]; then
      missing "$what" "it is for $type"
      return
    fi
    [[ ! $count ]] || free=$((free + (count - ${used:-0}) * per_machine))
    for number in $reserved; do free=$((free + number)); done
    for number in $in_use; do free=$((free - number)); done
  done <<<"$answer"
  if ((free >= chips)); then
    ok "$what: $free free"
  elif ((free >= chips * ${to_come-1})); then
    cannot_tell "$what" "$free free, and perhaps others are in use by${own-}"
  else
    missing "$what" "$free free (nodes that this workload has already are in use)"
  fi
}
