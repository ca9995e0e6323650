# Flags that say how xpk runs.
uv run xpk workload create --cluster=acme --workload=run-1 --tpu-type=v6e-16 --docker-image=us-docker.pkg.dev/acme/train/run:1 --quiet --docker-name=worker --output-manifest-file=old.yaml --command="python3 a.py"  #~ FS5161
