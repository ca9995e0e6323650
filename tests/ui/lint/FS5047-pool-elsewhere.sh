#!/bin/bash
gcloud container clusters create regional --region=us-east5 --num-nodes=1
gcloud container node-pools create a --cluster=regional --zone=us-east5-b --machine-type=ct6e-standard-4t --num-nodes=1  #~ FS5047
gcloud container node-pools create b --cluster=regional --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --num-nodes=1
gcloud container clusters create zonal --zone=us-east5-b --num-nodes=1
gcloud container node-pools create c --cluster=zonal --region=us-east5 --machine-type=ct6e-standard-4t --num-nodes=1  #~ FS5047
gcloud container node-pools create d --cluster=elsewhere --region=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --num-nodes=1
