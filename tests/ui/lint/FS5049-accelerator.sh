#!/bin/bash
gcloud container node-pools create a --cluster=c --zone=us-central1-a --machine-type=ct5lp-hightpu-1t --accelerator type=tpu-v5-lite,count=1 --num-nodes=1  #~ FS5049
gcloud container node-pools create b --cluster=c --zone=us-central1-a --accelerator=type=tpu-v5-lite-podslice,count=4 --num-nodes=1  #~ FS5049
gcloud container node-pools create g --cluster=c --zone=us-central1-a --machine-type=g2-standard-4 --accelerator type=nvidia-l4,count=1 --num-nodes=1
