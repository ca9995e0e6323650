xpk cluster create --cluster=acme --tpu-type=v6e-16 --zone=us-east5-b  #~ FS5158
xpk workload create --cluster=acme --workload=run-1 --command=true  #~ FS5158
gcluster job submit --name=run-2 --compute-type=tpu7x --image=run:1 --command=true  #~ FS5158
