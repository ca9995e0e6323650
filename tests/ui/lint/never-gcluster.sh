#!/bin/bash
# gcluster writes shapes and classes in small letters, takes any class of the cluster, and collects exit codes and mounts.
IMAGE=us-docker.pkg.dev/my-project/images/train:1
gcluster job submit --name spelled --cluster my-cluster --location us-east5 --project my-project --image "$IMAGE" \
  --compute-type ct6e-standard-4t --topology 2X4 --priority HIGH --restart-on-exit-codes 42 --restart-on-exit-codes 137,143 \
  --mount gs://my-bucket:/data,my-claim:/claim:rw --command "python3 train.py"
gcluster job submit --name own-class --cluster my-cluster --location us-east5 --project my-project --image "$IMAGE" \
  --compute-type v6e-16 --priority research-batch --command "python3 train.py"
# Names of devices in any letters, the topology of the node pools, halves of hours, numbers below 0, and a folder of the node in its own place.
gcluster job submit --name letters --cluster my-cluster --location us-east5 --project my-project --image "$IMAGE" \
  --compute-type V6E-16 --restarts -1 --grace-period 1m30s --gke-ttl-after-finished 1.5h --command "python3 train.py"
gcluster job submit --name of-pools --cluster my-cluster --location us-east5 --project my-project --image "$IMAGE" \
  --compute-type ct6e-standard-4t --mount /data:/data:rw --mount "gs://my-bucket/a;/a;rw" --mount "$BUCKET:/b" --env "$PAIR" --command "python3 train.py"
gcluster job submit --name cores --cluster my-cluster --location us-central2-b --project my-project --image "$IMAGE" \
  --compute-type v4-8 --gke-nap-provisioning reservation --gke-nap-reservation r --command "python3 train.py"
# The label of the nodes, as in gcluster's own guide.
gcluster job submit --name by-label --cluster my-cluster --location us-east5 --project my-project --image "$IMAGE" \
  --compute-type tpu-v6e-slice --topology 4x4 --command "python3 train.py"
