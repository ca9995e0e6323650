xpk cluster create --cluster a5 --tpu-type=v6e-16 --num-slices=4 --zone us-east5-a --project p --on-demand  #~ FS5160
xpk workload create --cluster a5 --workload w5 --tpu-type=v6e-16 --num-slices=2 --zone us-east5-a --project p --docker-image i:1 --command "python t.py"
