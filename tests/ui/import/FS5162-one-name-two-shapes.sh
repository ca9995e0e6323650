# Eight chips are two hosts for xpk, and one for gcluster.
xpk workload create --cluster=acme --workload=run-1 --tpu-type=v6e-8 --docker-image=us-docker.pkg.dev/acme/train/run:1 --command="python3 a.py"  #~ FS5162
gcluster job submit --cluster=acme --name=run-2 --compute-type=v6e-8 --queue=team --image=us-docker.pkg.dev/acme/train/run:1 --command="python3 a.py"  #~ FS5162
