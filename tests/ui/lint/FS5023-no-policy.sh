gcloud container node-pools create pool --cluster=c1 --machine-type=tpu7x-standard-4t --num-nodes=2 --tpu-topology=2x2x2 #~ FS5023
