gcloud container node-pools create pool --cluster=c1 --machine-type=ct6e-standard-1t --tpu-topology=1x1 #~ FS5022
