#!/bin/bash
set -e
[[ -n $PROJECT ]]
gcloud container node-pools create a --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2  #~ FS4001
ready() {
  [[ $1 == yes ]]
}
gcloud container node-pools create b --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2  #~ FS4001
if [[ $1 =~ (a|b) || $1 == "]]" ]]
then
  gcloud container node-pools create d --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2  #~ FS4001
fi
[[ $1 == x &&
  $2 == y ]] 2>/dev/null
gcloud container node-pools create e --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=4
