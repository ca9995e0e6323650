
step 'Compare with the spec'
if ((wrong > 0)); then
  echo "$wrong of the checks above went wrong" >&2
  exit 1
fi
