xpk workload create --cluster=acme --workload=run-1 --tpu-type=v6e-16 --num-nodes=4 --command=true  #~ FS5159
