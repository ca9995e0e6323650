
exists() {
  ask "$@" || return 0
  ok "$1"
}
