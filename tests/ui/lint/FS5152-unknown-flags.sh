# A misspelt flag, the beginnings of several, and one that a later version may have. Of the last, one meant it before the other was there.
xpk workload create --cluster=acme --workload=run-1 --tpu-type=v6e-16 --num-slice=2 \
  --docker-imag=us-docker.pkg.dev/acme/train/run:1 --comand="python3 train.py"
#~@3 FS5152 FS5152
xpk workload create --cluster=acme --workload=run-2 --tpu-type=v6e-16 --docker=run:1 --command=true  #~ FS5152
xpk workload create --cluster=acme --workload=run-3 --tpu-type=v6e-16 --command=true --borrow-from=others  #~ FS5152
xpk workload create --cluster=acme --workload=run-4 --tpu-type=v6e-16 --docker-im=run:1 --command=true  #~ FS5152
