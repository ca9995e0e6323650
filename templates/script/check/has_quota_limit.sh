
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
