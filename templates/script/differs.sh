
# Succeeds unless what a command describes is what the new spec says. What does not exist differs.
differs() {
  local answer
  "$dry_run" && return
  if answer=$(wrong=0 && expect "$@" 2>&1 && ((wrong == 0))); then
    echo '    is what the new spec says already'
    return 1
  elif [[ $answer == *'ERROR: (gcloud'* && $answer != *code=404* && $answer != *'not found'* ]]; then
    echo "$answer" >&2
    failed+=("$doing")
    return 1
  fi
}
