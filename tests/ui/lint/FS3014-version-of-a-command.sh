#!/bin/bash
gcloud container clusters create old --location=us-central1 --cluster-version=1.32.4-gke.1000 --num-nodes=1  #~ FS3014 FS5065
gcloud container node-pools create a --cluster=old --location=us-central1 --node-locations=us-central1-c --machine-type=tpu7x-standard-4t --num-nodes=1
gcloud container node-pools create b --cluster=other --location=us-central1 --node-locations=us-central1-c \
  --machine-type=tpu7x-standard-4t --num-nodes=1 --node-version=1.33.0-gke.1  #~ FS3014
gcloud container clusters create new --location=us-central1 --cluster-version=1.35 --num-nodes=1
gcloud container node-pools create c --cluster=new --location=us-central1 --node-locations=us-central1-c --machine-type=tpu7x-standard-4t --num-nodes=1
