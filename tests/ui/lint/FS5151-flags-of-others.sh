#!/bin/bash
gcloud container node-pools create spot --cluster=c --location=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=2x2 \
  --num-nodes=1 --provisioning-model=spot #~ FS5151
gcloud container node-pools create a --cluster=c --location=us-east5-b --num-nodes=1 \
  --tpu-type=v6e #~ FS5151
