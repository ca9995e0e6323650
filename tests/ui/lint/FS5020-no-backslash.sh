#!/bin/bash
gcloud container node-pools create pool \
  --cluster=c1 --location=us-east5
  --machine-type=ct6e-standard-4t \
  --num-nodes=1
#~@3 FS5020
