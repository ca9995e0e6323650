#!/bin/bash
NAMESPACE=
CLUSTER=research
gcloud container node-pools create v6e --cluster="$CLUSTER" --location=us-east5 --node-locations=us-east5-b \
  --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=4
kubectl -n $NAMESPACE apply -f job.yaml  #~ FS5192
kubectl -n "$NAMESPACE" get pods
kubectl -n default get pods $NAMESPACE
