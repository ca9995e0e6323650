#!/bin/bash
# google.com/tpu
gcloud container clusters create c --location=us-east5 --enable-autoprovisioning --max-cpu=1000 --max-memory=4000 \
  --max-accelerator=type=ct6e-standard-4t,count=16  #~ FS5048
gcloud container clusters create d --location=us-east5 --enable-autoprovisioning --max-cpu=1000 --max-memory=4000 \
  --max-accelerator=type=tpu-v6e-slice,count=16
gcloud container clusters create e --location=us-east5 --enable-autoprovisioning --max-cpu=1000 --max-memory=4000 \
  --max-accelerator type=v5e,count=16 --max-accelerator type=nvidia-l4,count=4  #~ FS5048 FS5150
