NODES := 2
LATE = $(COUNT)
pool:
	NODES=4
	gcloud container node-pools create a --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=$(NODES) --spot  #~ FS4001
	gcloud container node-pools create b --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=$(LATE) --spot
own: NODES = 4
own:
	gcloud container node-pools create d --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=$(NODES) --spot
COUNT = 4
