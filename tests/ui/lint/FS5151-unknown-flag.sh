#!/bin/bash
gcloud container node-pools create p --cluster=c --location=us-east5 \
  --machinetype=ct6e-standard-4t --tpu-topology=2x2 --num-nodes=1 \
  --no-enable-autoupgrade
#~@3 FS5151
