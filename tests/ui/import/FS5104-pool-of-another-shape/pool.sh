gcloud container node-pools create pool --cluster=c --location=us-west4-a --machine-type=ct5lp-hightpu-4t --tpu-topology=4x4 --num-nodes=4  #~ FS5104
gcloud container node-pools create other --cluster=c --location=us-west4-a --machine-type=MACHINE_TYPE --num-nodes=4  #~ FS5104
