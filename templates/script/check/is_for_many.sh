# Whether several nodes can mount a claim, or those that a StorageClass makes; otherwise the pods of all but one would wait for
# ever.
is_for_many() {
  ask "$@" --output='jsonpath={.spec.accessModes[*]}{.provisioner}' || return 0
  case $answer in
    pd.csi.storage.gke.io | kubernetes.io/gce-pd)
      missing "$1" "its provisioner is $answer, whose disks one node can mount; Filestore or a bucket is needed" ;;
    *Many* | *.*) ok "$1" ;;
    *) missing "$1" "it has $answer, which one node can mount; ReadWriteMany or ReadOnlyMany is needed" ;;
  esac
}
