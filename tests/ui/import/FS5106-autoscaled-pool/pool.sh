gcloud container node-pools create pool --cluster=c --location=us-west4-a --machine-type=ct5lp-hightpu-4t --spot \
  --enable-autoscaling --total-min-nodes=0 --total-max-nodes=8 --num-nodes=0  #~ FS5106 FS5106
