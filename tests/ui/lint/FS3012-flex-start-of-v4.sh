gcloud container node-pools create pool --cluster=c1 --machine-type=ct4p-hightpu-4t --flex-start --enable-autoscaling --num-nodes=0 --max-nodes=1 #~ FS3012
