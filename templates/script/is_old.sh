
# Succeeds while an object has what the old spec says at a JSONPath, or with `unlike` not what the new
# one says, so that nothing is deleted that the new spec has made. An object that does not exist has
# nothing there, which `or-nothing` accepts.
is_old() {
  local got
  "$dry_run" && return
  if [[ ! ${kubeconfig-the one of the user} ]]; then
    echo '    not tried without credentials' >&2
    failed+=("$doing")
    return 1
  elif ! got=$(kubectl get "$1" --ignore-not-found --output="jsonpath={$2}" --namespace="$namespace" 2>&1); then
    [[ $got != *"the server doesn't have a resource type"* ]] || return 1
    echo "$got" >&2
    exit 1
  elif [[ ${4-} == unlike ]]; then
    [[ $got == "$3" ]] || return 0
    echo '    is the new one: left'
    return 1
  elif [[ $got != "$3" && ($got || ! ${4-}) ]]; then
    echo '    is not the old one: left'
    return 1
  fi
}
