
# Whether the columns that a command prints are as they should be: FIELD=VALUE for each, up to `--`.
is_like() {
  local what=$1 wanted=() columns i wrong=
  shift
  while [[ $1 != -- ]]; do
    wanted+=("$1")
    shift
  done
  ask "$what" "${@:2}" || return 0
  IFS='|' read -ra columns <<<"$answer"
  for i in "${!wanted[@]}"; do
    [[ ${columns[i]-} == "${wanted[i]#*=}" ]] || wrong+=", ${wanted[i]%%=*} is '${columns[i]-}' and should be '${wanted[i]#*=}'"
  done
  if [[ $wrong ]]; then
    missing "$what" "${wrong#, }"
  else
    ok "$what"
  fi
}
