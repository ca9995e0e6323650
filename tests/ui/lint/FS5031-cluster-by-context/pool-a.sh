gcloud container clusters create a --location=us-east5 --num-nodes=1
gcloud container node-pools create p-a --cluster=a --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=2x4 --num-nodes=2
