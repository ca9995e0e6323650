gcloud container node-pools create chat-pool --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-8t --enable-autoscaling --num-nodes=0 --min-nodes=0 --max-nodes=2
