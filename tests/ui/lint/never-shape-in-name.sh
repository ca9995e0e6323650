gcloud container node-pools create train-2x2x2 --cluster=c --location=us-east5-a --machine-type=ct5p-hightpu-4t --tpu-topology=2x2x2 --num-nodes=2
gcloud container node-pools create serve-2x2x1 --cluster=c --location=us-east5-a --machine-type=ct5p-hightpu-4t --num-nodes=2
gcloud container node-pools create eight-4x4 --cluster=c --location=us-east5-b --machine-type=ct6e-standard-4t --num-nodes=8
