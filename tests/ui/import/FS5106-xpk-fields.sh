#!/usr/bin/env bash
# Types with a topology, and flags that are fields.
xpk workload create --cluster=acme --workload=a --tpu-type=v6e-2x4 --docker-image=i:1 --command=true --namespace=team-a \
  --ttl-seconds-after-finished=3600 --termination-grace-period-seconds=90 --docker-image-pull-secret=registry --service-account=trainer
xpk workload create --cluster=acme --workload=b --device-type=tpu7x-4x4x4 --docker-image=i:1 --command=true -tgps 60 \
  --env A=1 --env B --num-slices=$SLICES --max-restarts=$RESTARTS --scheduler=gke.io/topology-aware-auto --ttl-seconds-after-finished=$TTL
#~@6 FS5106 FS5106 FS5106 FS5106 FS5106
xpk workload create --cluster=acme --workload=c --tpu-type=v5litepod-4x4 --docker-image=i:1 --command=true
