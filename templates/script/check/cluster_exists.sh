
# The GKE version of the control plane; empty: not known.
version=
cluster_exists() {
  ask "$@" || return 0
  version=$answer
  [[ $version != *gitVersion* ]] || version=$(sed -n 's/.*"gitVersion": *"v\([^"]*\)".*/\1/p' <<<"$version")
  ok "$1: GKE $version"
}
