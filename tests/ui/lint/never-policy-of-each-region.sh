#!/bin/bash
# Policies of several regions may have one name.
gcloud compute resource-policies create workload-policy near --region=us-east1 --type=HIGH_THROUGHPUT --accelerator-topology=4x4
gcloud compute resource-policies create workload-policy near --region=us-east5 --type=HIGH_THROUGHPUT --accelerator-topology=4x4
gcloud container node-pools create one --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t \
  --tpu-topology=4x4 --placement-policy=near --num-nodes=4
gcloud container node-pools create other --cluster=d --node-locations=us-east1-d --machine-type=ct6e-standard-4t \
  --tpu-topology=4x4 --placement-policy=near --num-nodes=4
