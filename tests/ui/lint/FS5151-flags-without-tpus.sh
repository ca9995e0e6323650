#!/bin/bash
# Nothing here says that it is about TPUs; gcloud's table judges it all the same.
gcloud container clusters create-auto web --location=us-east5 --workload-pool=acme.svc.id.goog  #~ FS5151
gcloud container clusters create web --zone us-east5-b --num-node=3 --machine-type e2-standard-4  #~ FS5151
gcloud container clusters create web --zone us-east5-b --num-nodes=3 --machine-type e2-standard-4
gcloud beta container clusters get-credentials web --region us-east5
gcloud container builds submit -t gcr.io/acme/web .  #~ FS5021
gcloud container images list --repository=gcr.io/acme
gcloud compute instances create web --machine=e2-medium
