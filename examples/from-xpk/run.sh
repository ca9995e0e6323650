#!/bin/bash
export CLUSTER=acme ZONE=us-east5-b
xpk workload create --cluster=$CLUSTER --zone=$ZONE --workload=pretrain --tpu-type=v6e-16 --num-slices=2 \
  --docker-image=us-docker.pkg.dev/acme/train/maxtext:1 --priority=high --max-restarts=3 \
  --enable-debug-logs --command="python3 train.py --steps=1000"
