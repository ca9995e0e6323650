
if ((${#failed[@]} > 0)); then
  {
    echo "${0##*/}: failed:"
    printf '    %s\n' "${failed[@]}"
    echo 'What is named there may still exist, and nodes are billed. Running the script again is safe.'
  } >&2
  doing=
  exit 1
fi
