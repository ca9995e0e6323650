step 'Compare with the spec'
if ((wrong > 0)); then
  if "$changeable"; then advice=${changes:-$advice}; fi
  echo "$wrong of the checks above failed. ${advice-}" >&2
  doing=
  exit 1
fi
