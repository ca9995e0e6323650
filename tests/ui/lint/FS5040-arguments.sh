#!/bin/bash
# google.com/tpu
gcloud container node-pools create --cluster=demo --location=us-east5                  #~ FS5040
gcloud container clusters get-credentials --location=us-east5                          #~ FS5040
gcloud container node-pools delete $POOLS --cluster=demo --location=us-east5
gcloud container clusters describe "$@" --location=us-east5
