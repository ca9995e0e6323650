#!/bin/bash
# A script that makes a node pool and a Job for it. flexslice checks both, and turns them into a spec.
set -euo pipefail

gcloud container node-pools create train-pool \
  --cluster=my-cluster --location=us-east5 --node-locations=us-east5-b \
  --machine-type=ct6e-standard-4t --tpu-topology=4x4 \
  --num-nodes=0 --enable-autoscaling --min-nodes=0 --max-nodes=4 \
  --flex-start --reservation-affinity=none --no-enable-autorepair

kubectl apply -f - <<EOF
apiVersion: v1
kind: Service
metadata:
  name: train
spec:
  clusterIP: None
  selector:
    job-name: train
---
apiVersion: batch/v1
kind: Job
metadata:
  name: train
spec:
  completions: 4
  parallelism: 4
  completionMode: Indexed
  backoffLimit: 0
  template:
    spec:
      subdomain: train
      restartPolicy: Never
      nodeSelector:
        cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
        cloud.google.com/gke-tpu-topology: 4x4
        cloud.google.com/gke-nodepool: train-pool
      containers:
        - name: train
          image: us-docker.pkg.dev/cloud-tpu-images/jax-ai-image/tpu:latest
          command: [python, train.py]
          ports:
            - containerPort: 8471
            - containerPort: 8431
          resources:
            requests:
              google.com/tpu: 4
            limits:
              google.com/tpu: 4
EOF
