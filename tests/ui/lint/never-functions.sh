TOPOLOGY=4x4
runbig() { TOPOLOGY=4x8; ./big.sh; }
gcloud container node-pools create np --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=$TOPOLOGY --num-nodes=4 --spot
(TOPOLOGY=4x8; ./big.sh "$TOPOLOGY")
gcloud container node-pools create np --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=$TOPOLOGY --num-nodes=4 --spot
if [ "$SIZE" = large ]; then
  TOPOLOGY=4x8
fi
gcloud container node-pools create np2 --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=$TOPOLOGY --num-nodes=4 --spot
