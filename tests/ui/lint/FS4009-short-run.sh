gcloud container node-pools create pool --cluster=c1 --machine-type=ct6e-standard-4t --flex-start --max-run-duration=5m --enable-autoscaling --num-nodes=0 --max-nodes=1 #~ FS4009
