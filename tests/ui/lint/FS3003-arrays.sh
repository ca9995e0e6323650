#!/bin/bash
command=(gcloud container node-pools create tpus
  --cluster=demo --location=us-east5-a  # the zone
  --machine-type=ct6e-standard-5t
  --num-nodes=1)
"${command[@]}"
#~@4 FS3003
