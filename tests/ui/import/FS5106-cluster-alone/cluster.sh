#!/bin/bash
# the node pool is made elsewhere, by Terraform
gcloud container clusters create demo --location=us-east5-a --num-nodes=1 --machine-type=e2-standard-4  #~ FS5106
