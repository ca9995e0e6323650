#!/bin/bash
# google.com/tpu
kubectl aply -f job.yaml                                                     #~ FS4562
kubectl -n ml delte job train                                                #~ FS4562
kubectl --context=a rollout stauts deployment/serve                          #~ FS4562
if ! kubectl creat -f job.yaml; then exit 1; fi                              #~ FS4562
xpk workload crate --workload=a --tpu-type=v6e-16 --cluster=c --command=ls   #~ FS4562
xpk clusters list --project=p                                                #~ FS4562
/usr/bin/gcluster job submitt --name=a                                       #~ FS4562
