N = 2
MAKEFLAGS += N=4
all:
	$(MAKE) pool
pool:
	gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=$(N)
