#!/usr/bin/env bash
# Fill this in:
export PROJECT=""
gcloud container node-pools create pool --project=$PROJECT --cluster=acme --location=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=2x2
kubectl apply -f - <<'END'
apiVersion: batch/v1
kind: Job
metadata: {name: train}  #~ FS5109
spec:
  template:
    spec:
      restartPolicy: Never
      nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 2x2, cloud.google.com/gke-nodepool: pool}
      containers: [{name: train, image: i, resources: {limits: {google.com/tpu: 4}}}]
END
