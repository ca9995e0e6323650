#!/bin/bash
set -euo pipefail
source "${ROOT}/env.sh"  #~ FS5191
ROOT=$(git rev-parse --show-toplevel)
create() {
  gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --num-nodes=1 --project=$LATER
}
LATER=acme
create
gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --num-nodes=1
