#!/bin/bash
# The settings are those of the file, and nobody knows those of the other.
TOPOLOGY=2x4
IMAGE=base:v1
source ./settings.sh
cat <<JOB | kubectl apply -f -
apiVersion: batch/v1
kind: Job
metadata: {name: train}
spec:
  completions: 4
  parallelism: 4
  completionMode: Indexed
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      subdomain: train
      nodeSelector:
        cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
        cloud.google.com/gke-tpu-topology: $TOPOLOGY
      containers:
      - name: train
        image: $IMAGE
        resources: {limits: {google.com/tpu: 4}}
JOB
source "$HOME/more.sh"
cat <<JOB | kubectl apply -f -
apiVersion: batch/v1
kind: Job
metadata: {name: open}  #~ FS5110 FS5116
spec:
  completions: 4
  parallelism: 4
  completionMode: Indexed
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      subdomain: open
      nodeSelector:
        cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
        cloud.google.com/gke-tpu-topology: $TOPOLOGY
      containers:
      - name: open
        image: $IMAGE
        resources: {limits: {google.com/tpu: 4}}
JOB
