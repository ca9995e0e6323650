#!/usr/bin/env bash
xpk workload create --cluster=c --workload=w --device-type=h100-80gb-8 --num-nodes=2 --docker-image=i:1 --command="python train.py"  #~ FS5103
xpk workload create --cluster=c --workload=w --device-type=n2-standard-32-256 --docker-image=i:1 --command="python train.py"  #~ FS5103
xpk workload create --cluster=c --workload=w --device-type=v6e-16 --docker-image=i:1 --command="python train.py"
