xpk cluster create --cluster=acme --tpu-type=v6e-16 --zone=us-east5-b --spot --reservation=mine  #~ FS5157
xpk workload create --cluster=acme --workload=run-1 --tpu-type=v6e-16 --device-type=v6e-16 --command=true  #~ FS5157
gcluster job submit --name=run-2 --cluster=acme --compute-type=v6e-16 --image=run:1 --base-image=python:3 --build-context=. --command=true  #~ FS5157
