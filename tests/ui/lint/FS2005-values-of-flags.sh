#!/bin/bash
# google.com/tpu
gcloud container clusters create research --location=us-east5 --release-channel=fast --addons=GcsFuseCSIDriver,RayOperator  #~ FS2005 FS2005
gcloud container clusters create other --location=us-east5 --release-channel="$CHANNEL" --addons=SliceController,NodeLocalDNS
gcloud container node-pools create pool --cluster=research --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t \
  --tpu-topology=4x4 --num-nodes=4 --spot=true --workload-metadata=gke_metadata  #~ FS2006
