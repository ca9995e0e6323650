
# kubectl talks to the cluster of the spec, whatever your current context is; your own kubeconfig
# stays as it is.
unset kubeconfig
credentials() {
  if "$dry_run"; then
    run "$@"
    return
  fi
  trap 'at_exit; rm -f "$kubeconfig"' EXIT
  if kubeconfig=${kubeconfig:-$(mktemp)} && export KUBECONFIG=$kubeconfig && "$@"; then
    return
  fi
  rm -f "$kubeconfig"
  kubeconfig=
  return 1
}
