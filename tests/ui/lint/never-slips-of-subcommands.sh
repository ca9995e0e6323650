#!/bin/bash
# google.com/tpu
kubectl create -f job.yaml
kubectl create -f job.yaml
kubectl -n ml get events -w
kubectl --unknown aply
kubectl "$VERB" job train
kubectl ctx other
kubectl my-plugin aply
kubectl rollout status deployment/serve
kubectl config view
xpk workload list --cluster=c
xpk inspector --cluster=c
gcluster job list
xpk workload create --workload=a --tpu-type=v6e-16 --cluster=c --command=ls
