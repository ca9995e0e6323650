#!/bin/bash
export TOPOLOGY=4x4 NODES=2
gcloud container node-pools create "$POOL" --cluster="${CLUSTER}" \
  --machine-type=ct6e-standard-4t --tpu-topology="$TOPOLOGY" \
  --num-nodes=$NODES
#~@3 FS5045 FS5045
#~@5 FS4001
