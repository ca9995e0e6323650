xpk workload create --cluster=acme --workload=run-1 --tpu-type=v5litepod-16 --docker-image=us-docker.pkg.dev/acme/train/run:1 --command="python3 a.py
#~@1 FS5164 FS5160
