
if ((${#left[@]} > 0)); then
  {
    echo "${0##*/}: left, since provision.sh did not create it for this workload:"
    printf '    %s\n' "${left[@]}"
    echo 'If nobody needs it, delete it with the command that --dry-run prints: nodes are billed.'
  } >&2
fi
