#!/bin/bash
gcloud container node-pools create p --cluster=c --location=us-east5 --machine-ty pe=ct6e-standard-4t \
  --enable-auto scaling --min-nodes=0 --max-nodes=4
#~@2 FS5151
#~@3 FS5151
