gcloud container node-pools create pool --cluster=c --region=us-east5 --node-locations=us-east5-b \
  --machine-type=ct6e-standard-4t --num-nodes=1 --labels=flexslice=other  #~ FS5107
