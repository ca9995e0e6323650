
# Whether the columns that a command prints have these values: FIELD=VALUE for each, up to `--`. A
# value is `A or B`; `none` is nothing.
is_like() {
  local what=$1 values=() columns i wanted wrong=
  shift
  while [[ $1 != -- ]]; do
    values+=("$1")
    shift
  done
  ask "$what" "${@:2}" || return 0
  IFS='|' read -ra columns <<<"$answer"
  for i in "${!values[@]}"; do
    wanted=${values[i]#*=}
    [[ " or $wanted or " == *" or ${columns[i]:-none} or "* ]] ||
      wrong+=", ${values[i]%%=*} is '${columns[i]-}' and should be '$wanted'"
  done
  if [[ $wrong ]]; then
    missing "$what" "${wrong#, }"
  else
    ok "$what"
  fi
}
