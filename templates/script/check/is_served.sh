
# Whether the cluster has an API with these kinds.
is_served() {
  local what=$1 site=$2 kinds=${3#kinds=} kind
  absent=is_not_installed ask "$what" "${@:4}" || return 0
  answer=${answer//[[:space:]]/}
  for kind in ${kinds//,/ }; do
    [[ $answer == *"\"kind\":\"$kind\""* ]] && continue
    missing "$what" "it has no $kind; $site"
    return
  done
  ok "$what"
}
is_not_installed() { missing "$1" 'not installed, or with other versions of its API'; }
