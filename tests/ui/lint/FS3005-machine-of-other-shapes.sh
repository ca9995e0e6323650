gcloud container node-pools create pool --cluster=c1 --tpu-topology=4x4 --machine-type=ct6e-standard-8t #~ FS3005
