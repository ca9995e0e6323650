
doing=
"$dry_run" && exit
later=
((later_count == 0)) || later=", $later_count not yet: run it again when the cluster exists"
echo "${0##*/}: $missing_count missing, $unknown_count cannot tell$later" >&2
((missing_count == 0))
