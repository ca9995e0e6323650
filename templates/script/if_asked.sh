
# Runs a command that deletes data only with --delete-volumes.
if_asked() {
  if "$delete_volumes"; then
    "$@"
  else
    echo '    it stays; --delete-volumes deletes it with what is in it'
  fi
}
