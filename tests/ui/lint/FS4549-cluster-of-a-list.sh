dry_run=false
[[ ${1-} == --dry-run ]] && dry_run=true
missing() {
  "$dry_run" && return
  found=$("${@:2}") || exit
  return
}
if missing tpu gcloud container node-pools list --cluster=training --location=us-east5; then
  gcloud container node-pools create tpu --cluster=trainign --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --num-nodes=1  #~ FS4549
fi
