
# Reports what failed, and stops there.
stop_if_failed() {
  ((${#failed[@]} > 0)) || return 0
  {
    echo "${0##*/}: failed:"
    printf '    %s\n' "${failed[@]}"
    if [[ ${billed[*]-} ]]; then
      echo 'What stays and is billed:'
      printf '    %s\n' "${billed[@]}"
    fi
    if [[ ${unknown[*]-} ]]; then
      echo 'It cannot tell whether these are billed:'
      printf '    %s\n' "${unknown[@]}"
    fi
    echo 'What is named there may still exist, and nodes are billed. Running the script again is safe.'
  } >&2
  doing=
  exit 1
}
