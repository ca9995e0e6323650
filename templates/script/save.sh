
# Prints what a command says as a document of its own. Values of variables, commands and arguments may be
# secret, and are masked. What may not be read is named, and ends nothing.
saved=0
save() {
  local answer
  if "$dry_run"; then
    run "$@"
    return
  fi
  if ! answer=$("$@" 2>&1); then
    [[ $answer == *"doesn't have a resource type"* ]] || printf '# not saved: %s\n' "${answer%%$'\n'*}"
    return 0
  fi
  answer=$(mask <<<"$answer")
  saved=$((saved + ${#answer}))
  if ((saved > 5000000)); then
    printf '# not saved: more than 5 MB: %s\n' "$*"
  else
    printf -- '---\n%s\n' "$answer"
  fi
}

# A value reaches over the lines that are further right, and over a list at the same column.
mask() {
  awk '
    { match($0, /^ */); spaces = RLENGTH }
    hidden && (spaces > column || $0 == "" || (spaces == column && substr($0, spaces + 1, 2) == "- ")) { next }
    { hidden = 0 }
    match($0, /^ *(- )?(value|command|args|entrypoint|runtimeEnvYAML|rayStartParams|kubectl\.kubernetes\.io\/last-applied-configuration):/) {
      key = substr($0, 1, RLENGTH)
      hidden = 1
      column = spaces + (substr($0, spaces + 1, 2) == "- " ? 2 : 0)
      print key (key ~ /(command|args):$/ ? " []" : " \"***\"")
      next
    }
    { print }'
}
