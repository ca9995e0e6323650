
# Waits until another tool has created a node pool: $2 is the command that does it.
await() {
  local name=$1 found waited=0 said=
  if "$dry_run"; then
    run "${@:3}"
    return
  fi
  while found=$("${@:3}") || exit; [[ ${found%%$'\t'*} != "$name" || $found == *$'\t'PROVISIONING* ]]; do
    if ((waited >= 1800)); then
      echo "    not there after 30 minutes: run \`$2\`, then this script again" >&2
      exit 1
    fi
    [[ $said ]] || echo "    not there yet; \`$2\` creates it" >&2
    said=yes
    sleep 15
    waited=$((waited + 15))
  done
  echo '    exists'
}
