
"$dry_run" || echo "${0##*/}: $finally" >&2
