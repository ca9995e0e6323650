
# The pods of a slice wait for one reason, so the events of three of them tell it.
show_waiting() {
  local pods pod shown=0
  if "$dry_run"; then
    run "$@"
    return
  fi
  pods=$("$@")
  [[ $pods ]] || echo '    no pod waits'
  for pod in $pods; do
    if ((++shown > 3)); then
      echo "    and $(($(wc -l <<<"$pods") - 3)) more pods wait"
      break
    fi
    echo "    $pod"
    kubectl events --for="$pod" --namespace="$namespace" || return 0
  done
}
