#!/bin/bash
gcloud container node-pools create a --cluster=c --zone=us-east5-a --machine-type=ct5lp-hightpu-8t --num-nodes=1  #~ FS3017
gcloud container node-pools create b --cluster=c --location=us-east5-c --machine-type=ct5lp-hightpu-8t --num-nodes=1  #~ FS3017
gcloud container node-pools create d --cluster=c --location=us-west4-a --machine-type=ct5lp-hightpu-8t --num-nodes=1
