#!/bin/bash
# Only a run tells these values, or a file beside the script does.
TOPOLOGY=2x4 NODES=1
source ./settings.sh
gcloud container node-pools create a --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=$TOPOLOGY --num-nodes=$NODES --spot
NODES=1
source "$CONFIG"
gcloud container node-pools create b --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=${NODES:-1} --spot
