#!/bin/bash
# gcluster writes shapes and classes in small letters, takes any class of the cluster, and collects exit codes and mounts.
IMAGE=us-docker.pkg.dev/my-project/images/train:1
gcluster job submit --name spelled --cluster my-cluster --location us-east5 --project my-project --image "$IMAGE" \
  --compute-type ct6e-standard-4t --topology 2X4 --priority HIGH --restart-on-exit-codes 42 --restart-on-exit-codes 137,143 \
  --mount gs://my-bucket:/data,my-claim:/claim:rw --command "python3 train.py"
gcluster job submit --name own-class --cluster my-cluster --location us-east5 --project my-project --image "$IMAGE" \
  --compute-type v6e-16 --priority research-batch --command "python3 train.py"
