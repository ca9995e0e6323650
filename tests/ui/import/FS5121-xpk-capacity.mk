# Which capacity it is, the caller says.
ifeq ($(SPOT),1)
CAP = --spot
else
CAP = --reservation=my-res
endif
create:
	xpk cluster create --cluster=c --zone=us-east5-b --project=p --tpu-type=v6e-16 --num-slices=2 $(CAP)  #~ FS5121
train:
	xpk workload create --cluster=c --zone=us-east5-b --project=p --workload=w --tpu-type=v6e-16 --num-slices=2 --docker-image=i --command="python a.py"
