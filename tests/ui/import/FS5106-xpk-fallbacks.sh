#!/usr/bin/env bash
# What the script writes as a fallback is the value, unless the script sets another.
ZONE=us-east5-b
CLUSTER=${CLUSTER:-acme}
: "${TPU_TYPE:=v6e-16}"
xpk workload create --cluster="$CLUSTER" --workload="${RUN:-run-1}" --tpu-type="$TPU_TYPE" --zone="${ZONE:-us-east5-a}" \
  --docker-image="${IMAGE:-$REGISTRY/run:1}" --command="python train.py" --enable-debug-logs
#~@7 FS5106
