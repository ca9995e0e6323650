
# Deletes a Kubernetes object. A kind that the cluster does not have has no objects. When the
# credentials failed, kubectl is not run: it would talk to localhost.
delete() {
  local what=$1 api=$2 answer
  if "$dry_run"; then
    run "${@:3}"
  elif [[ ! ${kubeconfig-the one of the user} ]]; then
    echo '    not tried without credentials' >&2
    return 1
  elif answer=$(kubectl get --raw="$api" 2>&1); then
    answer=$("${@:3}") || return
    [[ ${*: -1} == --namespace=* ]] && what+=" in namespace $namespace; if you applied it to another one, it is still there"
    echo "    ${answer:-no $what}"
  elif [[ $answer == *'(NotFound)'* ]]; then
    echo "    no $what: the cluster does not have this kind"
  else
    echo "$answer" >&2
    return 1
  fi
}
