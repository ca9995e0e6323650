
step 'Compare with the spec'
if ((wrong > 0)); then
  echo "$wrong of the checks above failed. Run cleanup.sh, then provision.sh, to create the pools as the spec says." >&2
  doing=
  exit 1
fi
