
# Stops when what exists is not what the spec says: the pods would wait forever.
same() {
  expect "$@"
  if ((wrong > 0)); then
    if "$changeable"; then advice=${changes:-$advice}; fi
    echo "    is not what the spec says. $advice" >&2
    exit 1
  fi
}
