
# The GKE version of the control plane, empty where it is not known, and then what else is asked of
# the cluster.
version=
cluster_exists() {
  ask "$@" || return 0
  IFS='|' read -ra cluster <<<"$answer"
  version=${cluster[0]-}
  [[ $answer != *gitVersion* ]] || version=$(sed -n 's/.*"gitVersion": *"v\([^"]*\)".*/\1/p' <<<"$answer")
  ok "$1: GKE $version"
}
