#!/bin/bash
# google.com/tpu
gcloud container clusters create c --location=us-east5 --addons=RayOperator,GcsFuseCsiDriver  #~ FS5025
gcloud container clusters create d --location=us-east5 --addons=GcsFuseCsiDriver --workload-pool=p.svc.id.goog
gcloud container clusters update e --location=us-east5 --update-addons=GcsFuseCsiDriver=ENABLED
