#!/bin/bash
gcloud container node-pools create v6e --cluster=research --location=us-east5 --node-locations=us-east5-b \
  --machine-type=ct6e-standard-4t --enable-autoscaling --num-nodes=0 --min-nodes=8 --max-nodes=4  #~ FS4154
gcloud container node-pools create v6e-spot --cluster=research --location=us-east5 --node-locations=us-east5-b \
  --machine-type=ct6e-standard-4t --enable-autoscaling --num-nodes=0 --total-min-nodes=4 --total-max-nodes=4 --spot
