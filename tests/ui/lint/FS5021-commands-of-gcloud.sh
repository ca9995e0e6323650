#!/bin/bash
# google.com/tpu
gcloud container node-pools resize tpus --cluster=demo --num-nodes=0                   #~ FS5021
gcloud container clusters get-credential demo --location=us-east5 --no-such-flag       #~ FS5021
gcloud clusters list --project=my-project                                              #~ FS5021
gcloud container clusters rename demo other                                            #~ FS5021
if ! gcloud container nodepool list --cluster=demo; then echo none; fi                 #~ FS5021
cd /tmp && gcloud compute reservation list                                             #~ FS5021
NAME=$(gcloud container clusters lst --format='value(name)')                           #~ FS5021
gcloud container clusters check-something $NAME                                        #~ FS5021
gcloud compute resource-policies create-vm-maintenance policy                          #~ FS5021
