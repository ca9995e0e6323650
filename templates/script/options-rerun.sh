
usage() {
  echo "usage: bash ${0##*/} [--dry-run] [--force] [--delete-volumes] [--rerun] [--namespace NS]" >&2
  exit 2
}

dry_run=false
force=false
delete_volumes=false
rerun=false
namespace=
while (($# > 0)); do
  case $1 in
    --dry-run) dry_run=true ;;
    --force) force=true ;;
    --delete-volumes) delete_volumes=true ;;
    --rerun) rerun=true ;;
    --namespace=[a-z0-9]*) namespace=${1#*=} ;;
    --namespace)
      [[ ${2-} == [a-z0-9]* ]] || usage
      namespace=$2
      shift
      ;;
    *) usage ;;
  esac
  shift
done
