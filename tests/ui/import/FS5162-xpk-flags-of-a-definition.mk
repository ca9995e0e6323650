define ARGS
--cluster=c --zone=us-east5-b --project=p
endef
create:
	xpk cluster create $(ARGS) --tpu-type=v6e-16 --num-slices=2 --spot
train:
	xpk workload create $(ARGS) --workload=w --tpu-type=v6e-16 --num-slices=2 --docker-image=i --command="python a.py"
