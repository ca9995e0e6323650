
# Whether so much of a metric is left, of those that a command lists with limit and usage; otherwise
# $2 is what that means.
has_quota() {
  local what=$1 verdict=$2 metric=$3 amount=$4 name limit usage
  absent=cannot_tell ask "$what" "${@:5}" || return 0
  while IFS=, read -r name limit usage; do
    [[ $name == "$metric" ]] || continue
    # gcloud prints them as 2000.0 or 9.2e+18, more than bash can count.
    LC_ALL=C printf -v limit %.0f "$limit" && LC_ALL=C printf -v usage %.0f "$usage"
    ((${#limit} < 19)) || limit=999999999999999999
    if ((limit - usage >= amount)); then
      ok "$what: $limit less $usage in use"
    elif ((limit - usage >= amount * ${to_come-1})); then
      cannot_tell "$what" "the limit is $limit, and $usage are in use, perhaps by${own-}"
    else
      "$verdict" "$what" "the limit is $limit, and $usage are in use"
    fi
    return
  done <<<"$answer"
  cannot_tell "$what" "the region does not list $metric"
}
