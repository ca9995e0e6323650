#!/bin/bash
ZONE=""
CLUSTER=c
gcloud container node-pools create p --cluster=$CLUSTER --location=us-east5 --node-locations="$ZONE" --machine-type=ct6e-standard-4t --num-nodes=1  #~ FS5192
gcloud container clusters describe c --zone "$ZONE"  #~ FS5192
ZONE=us-east5-b
gcloud container clusters describe c --zone "$ZONE"
