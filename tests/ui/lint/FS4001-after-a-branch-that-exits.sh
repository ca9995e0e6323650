[ -n "$CLUSTER" ] || exit 1
if [ "$1" = help ]; then exit 0; fi
(exit 0)
stop() { exit 1; }
gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2  #~ FS4001
