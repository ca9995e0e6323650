# Types of boot disks that the machines do not take.
gcloud container node-pools create a --cluster=demo --location=us-west4-a --machine-type=ct5lp-hightpu-4t --num-nodes=1 --disk-type=pd-standard  #~ FS2005
gcloud container node-pools create b --cluster=demo --location=us-east5-a --machine-type=ct5p-hightpu-4t --num-nodes=1 --disk-type=pd-ssd
