gcloud container node-pools create chips --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --num-nodes=2
