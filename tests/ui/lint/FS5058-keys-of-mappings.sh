gcloud container node-pools create tpus --cluster=demo --location=us-east5 --node-locations=us-east5-b \
  --machine-type=ct6e-standard-4t --num-nodes=1 --node-labels=team=a,tier=x,team=b  #~ FS5058
gcloud compute instances create vm --zone=us-east5-b --labels=team=a --labels=team=b  #~ FS5058
gcloud compute instances create vm --zone=us-east5-b --labels=team=a --labels=tier=b
