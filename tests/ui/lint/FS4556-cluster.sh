gcloud container clusters get-credentials prod --location=us-east5
gcloud container node-pools describe tpu --cluster=prod --location=us-east5 ||
  gcloud container node-pools create tpu --cluster=staging --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --num-nodes=1  #~ FS4556
kubectl apply -f job.yaml
