xpk workload create --cluster=acme --workload=a-name-that-is-longer-than-forty-characters --tpu-type=v6e-16 --command=true  #~ FS5163
xpk workload create --cluster=acme --workload=run-1 --tpu-type=v6e-16 --num-slices=two --priority=highest --command=true  #~ FS2005 FS5163
xpk workload create --cluster=acme --workload=run-2 --tpu-type=v6e-16 --env RUN --command=true --command=false  #~ FS5150 FS5163
xpk workload create --cluster=acme --workload=Run_3 --tpu-type=v6e-16 --quiet=yes --command=true --max-restarts  #~ FS2006 FS2006 FS5042
