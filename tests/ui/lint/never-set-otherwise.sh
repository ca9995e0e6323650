#!/bin/bash
# A value that something else may set is not known.
pool() { gcloud container node-pools create "$1" --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2 --spot "${@:2}"; }
nodes() { gcloud container node-pools create n --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes="$NODES" --spot; }
flags() { gcloud container node-pools create f --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2 --spot "$@"; }
flags --num-nodes=4
pool one --num-nodes=4
NODES=2; ((NODES *= 2)); nodes
NODES=2; let NODES*=2; nodes
NODES=2; : $((NODES = 4)); nodes
NODES=2; eval "$SETTINGS"; nodes
NODES=2; export $(grep -v '^#' .env | xargs); nodes
NODES=2; source <(terraform output); nodes
NODES=2; read -r NODES < nodes.txt; nodes
NODES=2; mapfile -t A < nodes.txt; NODES=${A[0]}; nodes
NODES=2; printf -v NODES %d 4; nodes
NODES=2; declare -n R=NODES; R=4; nodes
declare -i NODES=2; NODES+=2; nodes
ARGS[0]=--num-nodes=4
gcloud container node-pools create a --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --spot "${ARGS[@]}"
