
# Prints the name when the list command finds it. A list that fails stops the script, since it says nothing about what exists.
# Refused requests are failures too, not empty lists.
export CLOUDSDK_COMPUTE_ALLOW_PARTIAL_ERROR=false
found() {
  local name=$1 names
  names=$("${@:2}") || exit
  [[ $names == "$name" ]]
}
