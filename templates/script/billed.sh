
# What stays and is billed, and what could not be asked for.
billed=()
unknown=()
stays() {
  local what=$1 found
  if "$dry_run"; then
    run "${@:2}"
    billed+=("$what")
  elif ! found=$("${@:2}"); then
    unknown+=("$what")
  elif [[ $found ]]; then
    billed+=("$what")
  fi
}
