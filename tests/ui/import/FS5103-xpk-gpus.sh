# Of two workloads, one is for GPUs.
xpk workload create --cluster=acme --workload=run-1 --device-type=h100-80gb-8 --num-nodes=2 --docker-image=run:1 --command="nvidia-smi"
xpk workload create --cluster=acme --workload=run-2 --tpu-type=v6e-8 --docker-image=us-docker.pkg.dev/acme/train/run:1 --command="python3 a.py"
