gcloud container node-pools create train-2x2x2 --cluster=c --location=us-east5-a --machine-type=ct5p-hightpu-4t --num-nodes=2  #~ FS4552
