#!/usr/bin/env bash
xpk cluster create --cluster=acme --tpu-type=v6e-16 --num-slices=2 --spot --zone=us-east5-b --project=acme-ml
xpk workload create --cluster=acme --workload=run-1 --tpu-type=v6e-16 --num-slices=2 --zone=us-east5-b --project=acme-ml \
  --docker-image=us-docker.pkg.dev/acme/train/run:1 --command="python train.py" --priority=medium --enable-debug-logs
#~@4 FS5106
