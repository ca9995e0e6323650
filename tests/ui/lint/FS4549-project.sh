gcloud container clusters create c --project=acme-research --location=us-east5
gcloud container node-pools create a --project=acme-reserach --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --num-nodes=1  #~ FS4549
