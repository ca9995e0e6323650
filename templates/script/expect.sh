
# Compares the columns that a command prints with what they should be: FIELD=VALUE for each, up to
# `--`. A value is `A or B`; `none` is nothing. What gcloud can change while pods run is `changeable`.
wrong=0
changeable=true
expect() {
  local values=() answer columns i wanted got
  while [[ $1 != -- ]]; do
    values+=("$1")
    shift
  done
  shift
  if "$dry_run"; then
    run "$@"
    return
  fi
  answer=$("$@")
  IFS='|' read -ra columns <<<"$answer"
  for i in "${!values[@]}"; do
    wanted=${values[i]#*=} got=${columns[i]-}
    if [[ " or $wanted or " == *" or ${got:-none} or "* ]]; then
      echo "    ok: ${values[i]%%=*} is ${got:-not set}"
    else
      echo "    WRONG: ${values[i]%%=*} is '$got', and should be '$wanted'" >&2
      wrong=$((wrong + 1))
      [[ ${values[i]} == autoscaling.* || ${values[i]} == initialNodeCount=* || ${values[i]} == locations=* ||
        ${values[i]} == config.labels.* || ${values[i]} == config.diskSizeGb=* ]] || changeable=false
    fi
  done
}
