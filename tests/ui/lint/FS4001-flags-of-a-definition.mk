# Make expands a definition like the value of an assignment.
define ARGS
--cluster=c --location=us-east5 --node-locations=us-east5-b \
  --machine-type=ct6e-standard-4t
endef
define SHAPE :=
--tpu-topology=4x4 --num-nodes=2
endef
define MORE
--enable-autoscaling
--max-nodes=$(1)
endef
all:
	gcloud container node-pools create a $(ARGS) $(SHAPE)  #~ FS4001
	gcloud container node-pools create b $(ARGS) --tpu-topology=4x4 $(MORE)
