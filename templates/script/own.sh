
# Whether it exists and is this workload's own: a list prints the name, the status, and the workload
# that provision.sh created it for.
left=()
own() {
  local name=$1 found status='' of=''
  "$dry_run" && return
  if ! found=$("${@:2}"); then
    failed+=("$doing")
    return 1
  fi
  IFS=$'\t' read -r found status of <<<"$found"
  if [[ $found != "$name" ]]; then
    echo '    gone already'
    return 1
  elif [[ $of != "$workload" ]]; then
    echo "    left: has no label flexslice=$workload"
    left+=("${doing#Delete }")
    return 1
  fi
}
