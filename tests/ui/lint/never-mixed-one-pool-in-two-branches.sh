#!/bin/bash
if [ "$SPOT" = 1 ]; then
  gcloud container node-pools create q --cluster=c --location=us-east5 --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=4 --spot
else
  gcloud container node-pools create q --cluster=c --location=us-east5 --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=4
fi
cat <<E | kubectl apply -f -
apiVersion: batch/v1
kind: Job
metadata: {name: a}
spec:
  completions: 4
  parallelism: 4
  completionMode: Indexed
  backoffLimit: 0
  template:
    spec:
      subdomain: a
      restartPolicy: Never
      nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 4x4}
      containers:
      - {name: a, image: a, resources: {requests: {google.com/tpu: 4}, limits: {google.com/tpu: 4}}}
---
apiVersion: v1
kind: Service
metadata: {name: a}
spec: {clusterIP: None, selector: {job-name: a}}
E
