gcloud container node-pools create tune-nodes --cluster=c --location=us-east5-b --machine-type=ct6e-standard-4t --num-nodes=2
