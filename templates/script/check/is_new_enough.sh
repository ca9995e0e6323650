
# Whether the cluster has GKE version $2 or a later one.
is_new_enough() {
  if "$dry_run"; then
    return
  elif later "$1"; then
    return
  elif [[ ! $version ]]; then
    cannot_tell "$1" 'the version of the cluster is not known'
  elif [[ $(printf '%s\n' "$2" "$version" | sort -V | head -n 1) == "$2" ]]; then
    ok "$1"
  else
    missing "$1" "the cluster has $version"
  fi
}
