
# Compares what a command prints with what it should print: `A or B`; `none` is nothing.
wrong=0
expect() {
  local wanted=$1 got
  if "$dry_run"; then
    run "${@:2}"
    return
  fi
  got=$("${@:2}")
  if [[ " or $wanted or " == *" or ${got:-none} or "* ]]; then
    echo "    ok: ${got:-none}"
  else
    echo "    WRONG: it is '$got', and should be '$wanted'" >&2
    wrong=$((wrong + 1))
  fi
}
