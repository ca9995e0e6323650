#!/bin/bash
# Zones say the region of a pool that says no location, and a policy brings the topology.
gcloud compute resource-policies create workload-policy far --region=us-east5 --type=HIGH_THROUGHPUT --accelerator-topology=4x4x8  #~ FS5046
gcloud container node-pools create of-far --cluster=c --node-locations=us-central1-c --machine-type=tpu7x-standard-4t \
  --placement-policy=far --num-nodes=32
gcloud container node-pools create of-v6e --cluster=c --location="$PLACE" --node-locations=us-east1-d \
  --machine-type=ct6e-standard-4t --tpu-topology=4x4 --placement-policy=wide --num-nodes=4
gcloud compute resource-policies create workload-policy wide --region=us-east5 --type=HIGH_THROUGHPUT --accelerator-topology=4x4  #~ FS5046
