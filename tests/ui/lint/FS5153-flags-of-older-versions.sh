# Flags that xpk had once.
xpk workload create --cluster=acme --workload=run-1 --tpu-type=v6e-16 --command=true --restart-on-user-code-failure  #~ FS5153
xpk workload create-pathways --cluster=acme --workload=run-2 --tpu-type=v6e-16 --remote-python-sidecar-image=side:1  #~ FS5153
