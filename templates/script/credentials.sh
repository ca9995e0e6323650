
# kubectl talks to the cluster of the spec, whatever your current context is; your own kubeconfig stays as it is.
credentials() {
  if ! "$dry_run"; then
    KUBECONFIG=$(mktemp)
    export KUBECONFIG
    trap 'at_exit; rm -f "$KUBECONFIG"' EXIT
  fi
  run "$@"
}
