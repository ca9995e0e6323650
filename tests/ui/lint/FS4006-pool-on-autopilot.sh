#!/bin/bash
CLUSTER=c1
gcloud container clusters create-auto $CLUSTER --location=us-east5
gcloud container node-pools create pool --cluster=$CLUSTER --location=us-east5 --machine-type=ct6e-standard-4t #~ FS4006
