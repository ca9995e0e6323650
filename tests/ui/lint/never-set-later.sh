#!/bin/bash
create() {
  gcloud container node-pools create "$NAME" --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --num-nodes=1
}
NAME=p
create
ZONE=${ZONE:-us-east5-b}
gcloud config set project "$PROJECT"
PROJECT=${PROJECT:-acme}
EXTRA=""
gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --num-nodes=1 $EXTRA --labels="$EXTRA"
read -r CLUSTER
gcloud container clusters describe "$CLUSTER"
CLUSTER=other
