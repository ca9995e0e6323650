#!/bin/bash
export TOPOLOGY=4x4 && \
  export NODES=2
gcloud container node-pools create a --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=$TOPOLOGY --num-nodes=$NODES --spot  #~ FS4001
pool() { gcloud container node-pools create "$1" --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=4 --spot "${@:2}"; }
flags() { gcloud container node-pools create f --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=4 --spot "$@"; }
flags --num-nodes=2  #~ FS4001
(NODES=4)
NODES=4 true
echo 4 | read -r NODES
gcloud container node-pools create b --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=$TOPOLOGY --num-nodes=$NODES --spot  #~ FS4001
