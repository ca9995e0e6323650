
# Compares what a command prints with what it should print.
wrong=0
expect() {
  local wanted=$1 got
  if "$dry_run"; then
    run "${@:2}"
    return
  fi
  got=$("${@:2}")
  if [[ $got == "$wanted" ]]; then
    echo "    ok: $wanted"
  else
    echo "    WRONG: it is '$got', and should be '$wanted'" >&2
    wrong=$((wrong + 1))
  fi
}
