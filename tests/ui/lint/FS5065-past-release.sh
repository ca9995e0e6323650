#!/bin/bash
gcloud container clusters create train --location=us-east5 --machine-type=e2-standard-4 --cluster-version=1.30.1-gke.1000 #~ FS5065
gcloud container clusters create-auto train --location=us-east5 --cluster-version=1.33 #~ FS5065
gcloud container clusters create kept --location=us-east5 --machine-type=e2-standard-4 --cluster-version=1.31 --release-channel=extended
gcloud container clusters create new --location=us-east5 --machine-type=e2-standard-4 --cluster-version=1.35.2
gcloud container clusters create latest --location=us-east5 --machine-type=e2-standard-4 --cluster-version=latest
gcloud container clusters upgrade old --location=us-east5 --cluster-version=1.33
gcloud container node-pools create slices --cluster=old --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=4 --spot --node-version=1.32
