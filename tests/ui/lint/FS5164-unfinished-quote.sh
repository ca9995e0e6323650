xpk workload create --cluster=acme --workload=run-1 --tpu-type=v6e-16 --command="python3 train.py --steps=10  #~ FS5164
