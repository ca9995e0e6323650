
# Whether to create it. After a list that failed nothing is created, since what exists is not known.
# A list prints the name, and perhaps the status.
missing() {
  local name=$1 found
  "$dry_run" && return
  found=$("${@:2}") || exit
  case $found in
    *$'\tERROR')
      echo "    exists with status ERROR: GKE could not create it. Delete it, or run cleanup.sh, which deletes all." >&2
      exit 1
      ;;
    *$'\tSTOPPING')
      echo '    is being deleted: run the script again when it is gone' >&2
      exit 1
      ;;
  esac
  there+=("${doing#Create }")
  [[ ${found%%$'\t'*} != "$name" ]]
}
