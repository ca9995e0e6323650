
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
