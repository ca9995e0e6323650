
# Says where it was looked for: in another project than you think of, it would seem to be gone. Disks
# of claims, the further arguments, outlive a cluster.
not_there() {
  local project=${2-} each
  project=${project:-$(gcloud config get-value project 2>/dev/null)} || true
  echo "    no $1 in project $project: nothing deleted there"
  finally="nothing of $workload is billed in project $project"
  for each in "${@:3}"; do
    unknown+=("$each")
  done
}
