#!/bin/bash
# The break leaves no dash at the end of the line.
gcloud container node-pools create p --cluster=c --location=us-east5 --machine-type=ct6e-standard-4t --enable-auto
scaling --min-nodes=0 --max-nodes=4
gcloud container clusters update c --location=us-east5 --enable-auto
provisioning --max-cpu=10
#~@3 FS5020
#~@5 FS5020
