#!/bin/bash
gcloud compute resource-policies create workload-policy none --region=us-central1 --type=HIGH_THROUGHPUT  #~ FS5046
gcloud compute resource-policies create workload-policy other --region=us-central1 --type=HIGH_THROUGHPUT --accelerator-topology=4x4x4  #~ FS5046
gcloud compute resource-policies create workload-policy far --region=us-east5 --type=HIGH_THROUGHPUT --accelerator-topology=4x4x8  #~ FS5046
gcloud compute resource-policies create group-placement group --region=us-central1 --collocation=collocated  #~ FS5046
gcloud compute resource-policies create workload-policy good --region=us-central1 --type=HIGH_THROUGHPUT --accelerator-topology=4x4x8
gcloud container node-pools create of-none --cluster=c --location=us-central1 --node-locations=us-central1-c \
  --machine-type=tpu7x-standard-4t --tpu-topology=4x4x8 --placement-policy=none --num-nodes=32
gcloud container node-pools create of-other --cluster=c --location=us-central1 --node-locations=us-central1-c \
  --machine-type=tpu7x-standard-4t --tpu-topology=4x4x8 --placement-policy=other --num-nodes=32
gcloud container node-pools create of-far --cluster=c --location=us-central1 --node-locations=us-central1-c \
  --machine-type=tpu7x-standard-4t --tpu-topology=4x4x8 --placement-policy=far --num-nodes=32
gcloud container node-pools create of-group --cluster=c --location=us-central1 --node-locations=us-central1-c \
  --machine-type=tpu7x-standard-4t --tpu-topology=4x4x8 --placement-policy=group --num-nodes=32
gcloud container node-pools create of-good --cluster=c --location=us-central1 --node-locations=us-central1-c \
  --machine-type=tpu7x-standard-4t --tpu-topology=4x4x8 --placement-policy=good --num-nodes=32
