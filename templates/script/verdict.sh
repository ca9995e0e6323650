
step 'Compare with the spec'
if ((wrong > 0)); then
  echo "$wrong of the checks above went wrong. cleanup.sh, then provision.sh makes it anew as the spec has it." >&2
  trap - EXIT
  exit 1
fi
