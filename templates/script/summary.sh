
doing=
"$dry_run" && exit
echo "${0##*/}: $missing_count missing, $unknown_count cannot tell" >&2
((missing_count == 0))
