#!/bin/bash
ZONE=us-east5-b
REGION=${ZONE%-*}
SHAPE=v6e-4x4
TOPOLOGY=${SHAPE#*-}
HOSTS=(a b)
gcloud container node-pools create wrong --cluster=c --location="$REGION" --node-locations=$ZONE \
  --machine-type=ct6e-standard-4t --tpu-topology=$TOPOLOGY --num-nodes=${#HOSTS[@]} #~ FS4001
gcloud container node-pools create right --cluster=c --location="$REGION" --node-locations=$ZONE \
  --machine-type=ct6e-standard-4t --tpu-topology=${TOPOLOGY:0:3} --num-nodes=$((${TOPOLOGY%x*} * ${TOPOLOGY#*x} / 4))
# A pattern that is not read leaves the value open.
gcloud container node-pools create open --cluster=c --location=${ZONE%%-[a-z]} --node-locations=$ZONE \
  --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=${SHAPE//[^1]/}
