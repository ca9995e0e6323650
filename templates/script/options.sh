
dry_run=false
case $#:${1-} in
  0:) ;;
  1:--dry-run) dry_run=true ;;
  *)
    echo "usage: bash ${0##*/} [--dry-run]" >&2
    exit 2
    ;;
esac
