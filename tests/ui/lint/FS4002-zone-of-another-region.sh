gcloud container node-pools create a --cluster=c1 --location=us-east5 --node-locations=us-east1-b --machine-type=ct6e-standard-4t --num-nodes=1 #~ FS4002
gcloud container clusters create c2 --zone=us-east5-a --node-locations us-east5-a,us-east1-b --num-nodes=1 #~ FS4002

gcloud container node-pools create b --cluster=c1 --location=us-east5-a --node-locations=us-east5-b --machine-type=ct6e-standard-4t --num-nodes=1
gcloud container node-pools create c --cluster=c1 --region=$REGION --node-locations=us-east1-d --machine-type=ct6e-standard-4t --num-nodes=1
gcloud container node-pools create d --cluster=c1 --region=us-east5 --node-locations=YOUR_ZONE --machine-type=ct6e-standard-4t --num-nodes=1
