#!/bin/bash
# Two slices of a cluster that another script makes.
ZONE=us-east5-b
python3 ~/xpk/xpk.py workload create \
  --cluster=acme --project=research --zone="$ZONE" \
  --workload=pretrain --tpu-type=v6e-16 --num-slices 2 \
  --docker-image=us-docker.pkg.dev/acme/train/maxtext:1 \
  --priority=high --max-restarts=3 --quiet \
  --env LIBTPU_INIT_ARGS="--xla_tpu_enable_async=true" --env RUN=1 \
  --enable-debug-logs \
  --command "python3 train.py --steps=1000 && echo \"done\"" 2>&1 | tee log
#~@8 FS5160
