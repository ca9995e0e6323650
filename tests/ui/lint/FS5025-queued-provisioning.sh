#!/bin/bash
gcloud container node-pools create q --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=2x2 \
  --enable-queued-provisioning --enable-autoscaling --num-nodes=0 --max-nodes=1  #~ FS5025
gcloud container node-pools create gpus --cluster=c --location=us-east5 --machine-type=a3-highgpu-8g --enable-queued-provisioning --enable-autoscaling --num-nodes=0 --max-nodes=1
