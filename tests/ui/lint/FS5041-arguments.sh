#!/bin/bash
# google.com/tpu
gcloud container node-pools delete old new --cluster=demo --location=us-east5          #~ FS5041
gcloud container clusters get-credentials demo region=us-east5                         #~ FS5041
gcloud container clusters list demo                                                    #~ FS5041
gcloud services enable container.googleapis.com compute.googleapis.com
gcloud container clusters delete one two --location=us-east5
