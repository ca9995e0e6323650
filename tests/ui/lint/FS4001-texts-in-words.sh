#!/bin/bash
DRY="${1:-}"
$DRY gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2  #~ FS4001
EMPTY=
$EMPTY gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2  #~ FS4001
ssh host -- 'gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2'  #~ FS4001
bash <<< "gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2"  #~ FS4001
echo "gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2" | bash  #~ FS4001
echo "gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2"
SHAPE=4x4
kubectl apply -f - <<< "apiVersion: batch/v1
kind: Job
metadata: {name: j1}
spec:
  completions: 3  #~ FS4001
  parallelism: 3
  completionMode: Indexed
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      subdomain: s  #~ FS4232
      nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: \"$SHAPE\"}
      containers:
      - {name: a, image: b, resources: {limits: {google.com/tpu: 4}, requests: {google.com/tpu: 4}}}
"
ONE='apiVersion: batch/v1
kind: Job
metadata: {name: j2}
spec:
  completions: 3  #~ FS4001
  parallelism: 3
  completionMode: Indexed
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      subdomain: s  #~ FS4232
      nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 4x4}
      containers:
      - {name: a, image: b, resources: {limits: {google.com/tpu: 4}, requests: {google.com/tpu: 4}}}
'
echo "$ONE" | kubectl apply -f -
printf '%s' "apiVersion: batch/v1
kind: Job
metadata: {name: j3}
spec:
  completions: 3  #~ FS4001
  parallelism: 3
  completionMode: Indexed
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      subdomain: s  #~ FS4232
      nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 4x4}
      containers:
      - {name: a, image: b, resources: {limits: {google.com/tpu: 4}, requests: {google.com/tpu: 4}}}
" | kubectl apply -f -
