missing() { "$@"; }
same() { "$@"; }
if missing team gcloud container node-pools list --cluster=my-cluster --location=us-east5 --filter='name~^team$'; then
  gcloud container node-pools create team --cluster=my-cluster-2 --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-8t --num-nodes=2  #~ FS4556
else
  same status=RUNNING -- gcloud container node-pools describe team --cluster=my-cluster --location=us-east5
fi
