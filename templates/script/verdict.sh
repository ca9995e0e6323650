step 'Compare with the spec'
if ((wrong > 0)); then
  echo "$wrong of the checks above failed. ${advice-}" >&2
  doing=
  exit 1
fi
