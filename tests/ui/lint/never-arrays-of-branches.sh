#!/bin/bash
ONE=(--cluster=c --location=us-east5)
if [ "$1" = big ]; then
  ONE+=(--num-nodes=4)
else
  ONE+=(--num-nodes=4 --spot)
fi
gcloud container node-pools create one --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 "${ONE[@]}"
THREE=(--cluster=c)
case "$1" in
  big) THREE+=(--tpu-topology=4x4 --num-nodes=4) ;;
  small) THREE+=(--tpu-topology=2x4 --num-nodes=2) ;;
esac
gcloud container node-pools create three --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t "${THREE[@]}"
exec {LOCK}>lock
