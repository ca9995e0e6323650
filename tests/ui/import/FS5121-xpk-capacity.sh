xpk cluster create --cluster=c --zone=us-east5-b --project=p --tpu-type=v6e-16 --num-slices=2 ${CAPACITY_ARGS}  #~ FS5121
xpk workload create --cluster=c --zone=us-east5-b --project=p --workload=w --tpu-type=v6e-16 --num-slices=2 --docker-image=i --command="python a.py"
