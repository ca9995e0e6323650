gcloud container node-pools create np --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-8t --num-nodes=1
