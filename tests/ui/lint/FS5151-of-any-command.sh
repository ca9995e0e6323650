#!/bin/bash
# google.com/tpu
gcloud container clusters delete demo --location=us-east5 --force-delete               #~ FS5151
gcloud container clusters list --cluster=demo                                          #~ FS5151
gcloud services enable container.googleapis.com --proj=my-project                      #~ FS5151
gcloud container clusters update demo --location=us-east5 --enable-slice-controller
gcloud container clusters create demo --location=us-east5 --istio-config=auth=MTLS_STRICT  #~ FS5151
