xpk workload create --cluster=acme --workload=a-name-that-is-longer-than-forty-characters --tpu-type=v5litepod-16 --docker-image=us-docker.pkg.dev/acme/train/run:1 --command="python3 a.py"  #~ FS5163
