#!/bin/bash
CLUSTER=c
gcloud container node-pools create p --cluster=$CLUSTER --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --num-nodes=1
kubectl -n $NAMESPACE apply -f job.yaml  #~ FS5045
kubectl -n default get pods
