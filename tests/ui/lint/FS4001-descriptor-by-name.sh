#!/bin/bash
exec {LOCK}>lock
flock "$LOCK"
gcloud container node-pools create a --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2  #~ FS4001
