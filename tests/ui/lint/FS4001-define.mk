NODES := 2
define pool
gcloud container node-pools create a --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2 --disk-size="$(1)"  #~ FS4001
gcloud container node-pools create b --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=$(2)
gcloud container node-pools create c --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=$(LATE)
endef
all: LATE = 4
all:
	$(call pool,100,4)
LATE = 2
