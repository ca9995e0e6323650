
# Whether it exists and is this workload's own: a list prints the name, the status, and the workload
# and namespace that provision.sh created it for. Version 1.0 wrote no namespace.
left=()
own() {
  local name=$1 found status='' of='' space=''
  "$dry_run" && return
  if ! found=$("${@:2}"); then
    failed+=("$doing")
    return 1
  fi
  IFS=$'\t' read -r found status of space <<<"$found"
  if [[ $of == *flexslice-namespace=* ]]; then
    space=${of#*flexslice-namespace=} of=${of#flexslice=} of=${of%% *}
  fi
  if [[ $found != "$name" ]]; then
    echo '    gone already'
    return 1
  elif [[ $of != "$workload" || ${space:-$namespace} != "$namespace" ]]; then
    echo "    left: is not labeled flexslice=$workload, flexslice-namespace=$namespace"
    left+=("${doing#Delete }")
    # One of the same name in another namespace may be meant. Policies cost nothing.
    [[ $of != "$workload" || $doing == *' policy '* ]] ||
      billed+=("${doing#Delete }, which is labeled flexslice-namespace=$space")
    return 1
  fi
}
