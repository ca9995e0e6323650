#!/usr/bin/env bash
KNOWN="--spot --enable-gvnic"
if [ -n "$1" ]; then EXTRA=$1; fi
gcloud container node-pools create pool $KNOWN --cluster=acme --location=us-east5-b $EXTRA --machine-type=ct6e-standard-4t --tpu-topology=2x2 "${MORE[@]}"
#~@4 FS5106 FS5121 FS5121
gcloud container node-pools describe pool $EXTRA
kubectl apply -f - <<'EOF'
apiVersion: batch/v1
kind: Job
metadata: {name: train}
spec:
  template:
    spec:
      restartPolicy: Never
      nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 2x2, cloud.google.com/gke-nodepool: pool, cloud.google.com/gke-spot: "true"}
      containers: [{name: train, image: i, resources: {limits: {google.com/tpu: 4}}}]
EOF
