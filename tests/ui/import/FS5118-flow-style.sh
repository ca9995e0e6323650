#!/bin/bash
kubectl apply -f - <<EOF
apiVersion: batch/v1
kind: Job
metadata: {name: a}
spec:
  template:
    spec:
      nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 2x4}
      restartPolicy: Never
      containers: [{name: a, image: i, env: [{name: A, value: "x-${BUCKET}"}], resources: {limits: {google.com/tpu: 8}}}]  #~ FS5118
EOF
