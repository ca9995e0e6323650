gcloud container node-pools create a --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --enable-autoscaling --min-nodes=0 --max-nodes=4  #~ FS4557
gcloud container node-pools create b --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --enable-autoscaling --num-nodes=0 --max-nodes=4
gcloud container node-pools create d --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --enable-autoscaling --min-nodes=3 --max-nodes=4
gcloud container node-pools create e --cluster=c --location=us-east5 --machine-type=e2-standard-4 --enable-autoscaling --min-nodes=0 --max-nodes=4
gcloud container node-pools create f --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --enable-autoscaling --min-nodes=0 --max-nodes=4 $MORE
