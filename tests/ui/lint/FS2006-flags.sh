#!/bin/bash
# Values that gcloud or GKE refuses.
gcloud container node-pools create Pool_A --cluster=research --location=us-east5 --machine-type=ct6e-standard-8t  #~ FS2006
gcloud container node-pools create a --cluster=research --location=us-east5 --node-locations=us-east5 --machine-type=ct6e-standard-8t  #~ FS2006
gcloud container node-pools create b --cluster=research --location=us-east5 --machine-type=ct6e-standard-8t --num-nodes=four  #~ FS2006
gcloud container node-pools create c --cluster=research --location=us-east5 --machine-type=ct6e-standard-8t --disk-type=pd-ssd  #~ FS2005
gcloud container node-pools create d --cluster=research --location=us-east5 --machine-type=ct6e-standard-8t --node-labels=team=a/b  #~ FS2006
gcloud container node-pools create "$POOL" --cluster=research --location=us-east5 --node-locations=ZONE --machine-type=ct6e-standard-8t --num-nodes="$NODES" --disk-type=hyperdisk-balanced --node-labels=team=a-b
gcloud container node-pools create e --cluster=research --location=us-east5 --machine-type=ct6e-standard-8t --node-taints=team=a:NoSchedul  #~ FS2006
gcloud container node-pools create f --cluster=research --location=us-east5 --machine-type=ct6e-standard-8t --enable-autoscaling --max-nodes=1 --location-policy=any  #~ FS2005
gcloud container node-pools create g --cluster=research --location=us-east5 --machine-type=ct6e-standard-8t --node-taints=team=a:NoExecute,b=c:NoSchedule --location-policy=BALANCED
