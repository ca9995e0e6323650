gcloud container node-pools create pool --cluster=c1 --machine-type=ct6e-standard-4t --tpu-topology=2x4 --num-nodes=1 #~ FS4001
