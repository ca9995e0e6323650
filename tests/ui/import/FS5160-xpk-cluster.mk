# A cluster of TPU7x with arguments for gcloud, and its workload.
CLUSTER := ironwood
cluster:
	xpk cluster create --cluster=$(CLUSTER) --zone=us-central1-c --device-type=tpu7x-4x4x4 --reservation=mine \
	  --custom-nodepool-arguments="--disk-size=500 --disk-type=hyperdisk-balanced" --enable-gcsfuse-csi-driver
run:
	xpk workload create --cluster=$(CLUSTER) --zone=us-central1-c --device-type=tpu7x-4x4x4 --workload=run-1 \
	  --docker-image=us-docker.pkg.dev/acme/train/run:1 --no-use-parallel-containers --command="python3 a.py"
#~@5 FS5160
