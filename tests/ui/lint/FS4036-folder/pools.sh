gcloud container node-pools create a --cluster=c1 --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=2x2 --num-nodes=1
gcloud container node-pools create b --cluster=c1 --location=us-east5 --node-locations=us-east5-a --machine-type=ct6e-standard-8t --tpu-topology=2x4 --num-nodes=1
