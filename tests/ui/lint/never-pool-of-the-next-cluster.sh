gcloud container node-pools describe tpu --cluster=winter --location=us-east5 --format=json >tpu.json
gcloud container node-pools create tpu --cluster=summer --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --num-nodes=1
