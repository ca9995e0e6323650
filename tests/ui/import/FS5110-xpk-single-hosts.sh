xpk cluster create --cluster a3 --tpu-type=v5p-8 --num-slices=2 --zone us-east5-a --project p --on-demand
xpk workload create --cluster a3 --workload w3 --tpu-type=v5p-8 --num-slices=2 --zone us-east5-a --project p --docker-image i:1 --command "python t.py"  #~ FS5110 FS5116
