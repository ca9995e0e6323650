# Whether several nodes can mount a claim; with ReadWriteOnce the pods of all but one would wait for ever.
is_for_many() {
  ask "$@" --output='jsonpath={.spec.accessModes[*]}' || return 0
  if [[ $answer == *Many* ]]; then
    ok "$1"
  else
    missing "$1" "it has $answer, which one node can mount; ReadWriteMany or ReadOnlyMany is needed"
  fi
}
