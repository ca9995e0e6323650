#!/bin/bash
# For pools with TPUs.
gcloud container clusters update c1 --location=us-east5 \
  --enable-autoprovisioning
  --max-accelerator=type=tpu-v6e-slice,count=16
gcloud container node-pools create pool --cluster=c1 --location=us-east5 --num-nodes=1 --machine-
type=ct6e-standard-4t
#~@4 FS5020
#~@6 FS5020
