#!/bin/bash
# gcloud takes the last of several; labels are compared one by one.
gcloud container node-pools create train --cluster=c --location=us-east5 --node-locations=us-east5-a --machine-type=ct6e-standard-4t \
  --tpu-topology=2x2 --num-nodes=1 --node-labels=team=a --node-labels=stage=test,tier=b --accelerator-network-profile=auto  #~ FS5106 FS5106 FS5106 FS5106 FS5150
kubectl apply -f - <<'EOF'
apiVersion: batch/v1
kind: Job
metadata:
  name: train
spec:
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      nodeSelector:
        cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice  #~ FS5108
        cloud.google.com/gke-tpu-topology: 2x2
      containers:
      - name: train
        image: python:3.12
        command: [python, train.py]
        resources:
          limits: {google.com/tpu: 4}
EOF
