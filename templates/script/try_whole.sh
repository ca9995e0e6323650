
# The same for what contains all of the above: with it goes what could not be deleted there.
try_whole() {
  if "$@"; then
    failed=() left=()
  else
    failed+=("$doing")
  fi
}
