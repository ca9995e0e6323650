#!/bin/bash
# google.com/tpu
gcloud compute resource-policies create workload-policy wp --region=us-central1        #~ FS5025
gcloud container clusters resize demo --location=us-east5 --node-pool=tpus             #~ FS5025
gcloud container clusters update demo --location=us-east5                              #~ FS5025
gcloud container clusters resize demo --location=us-east5 "${SIZE[@]}"
