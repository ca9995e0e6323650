#!/bin/bash
gcloud container node-pools create p --cluster=c --location=us-east5 \
  --machine-type=ct6e-standard-4t --tpu-topology=2x2 --num-nodes=1 \
  --node-labels=team=a --node-labels=run=b
#~@4 FS5150
