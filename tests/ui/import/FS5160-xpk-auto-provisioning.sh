xpk cluster create --cluster a2 --tpu-type=v5litepod-16 --num-slices=3 --zone us-west4-a --project p --spot --enable-autoprovisioning  #~ FS5160
xpk workload create --cluster a2 --workload w2 --tpu-type=v5litepod-16 --num-slices=3 --zone us-west4-a --project p --docker-image i:1 --command "python t.py"
