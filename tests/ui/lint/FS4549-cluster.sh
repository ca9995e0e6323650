gcloud container clusters create training --location=us-east5
gcloud container node-pools create one --cluster=trainign --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --num-nodes=1  #~ FS4549
gcloud container node-pools create two --cluster=training --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --num-nodes=1
gcloud container node-pools create three --cluster=team-a --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --num-nodes=1
gcloud container node-pools create four --cluster=team-b --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --num-nodes=1
