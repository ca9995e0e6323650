#!/bin/bash
gcloud container clusters create demo --location=us-central2-b --enable-tpu            #~ FS5043
gcloud container node-pools create tpus --cluster=demo --location=us-central2-b --machine-type=ct4p-hightpu-4t --tpu-topology=2x2x1 --num-nodes=1
