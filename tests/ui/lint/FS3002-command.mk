pool: # ct5p
	@gcloud container node-pools create pool --cluster=$(CLUSTER) --machine-type=ct5p-hightpu-4t --tpu-topology=4x4 #~ FS3002
