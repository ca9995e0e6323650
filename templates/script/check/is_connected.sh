
# kubectl talks to the cluster of the spec, whatever your current context is; your own kubeconfig
# stays as it is.
is_connected() {
  [[ ! $no_cluster ]] || return 0
  "$dry_run" || export KUBECONFIG=$scratch/kubeconfig
  absent=cannot_tell ask "$@" || "$dry_run" || connected=false
}
