gcloud container node-pools create big-0 --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=4
gcloud container node-pools create big-1 --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=4
