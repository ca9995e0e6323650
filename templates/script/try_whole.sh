
# The same for what contains all of the above: with it goes what could not be deleted there.
try_whole() {
  if "$@"; then
    failed=()
  else
    failed+=("$doing")
  fi
}
