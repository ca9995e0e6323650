
# Whether the columns that a command prints have these values: FIELD=VALUE for each, up to `--`.
is_like() {
  local what=$1 values=() columns i wrong=
  shift
  while [[ $1 != -- ]]; do
    values+=("$1")
    shift
  done
  ask "$what" "${@:2}" || return 0
  IFS='|' read -ra columns <<<"$answer"
  for i in "${!values[@]}"; do
    [[ ${columns[i]-} == "${values[i]#*=}" ]] || wrong+=", ${values[i]%%=*} is '${columns[i]-}' and should be '${values[i]#*=}'"
  done
  if [[ $wrong ]]; then
    missing "$what" "${wrong#, }"
  else
    ok "$what"
  fi
}
