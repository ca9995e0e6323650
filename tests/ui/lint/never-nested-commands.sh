#!/bin/bash
P="gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4"
eval "$P --num-nodes=4"
bash -c "$P --num-nodes=$NODES"
N=2
ssh host 'N=4; gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=$N'
ssh host '. env.sh; gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=$N'
echo p q | xargs -n1 gcloud container node-pools create --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=4
echo 2 4 | xargs -n1 -I{} gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes={}
echo "bash -c 'gcloud container node-pools create p --num-nodes=2 --tpu-topology=4x4 --machine-type=ct6e-standard-4t'"
eval "$(ssh-agent)" && eval "$UNKNOWN"
