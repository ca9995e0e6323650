gcloud container node-pools create train-pool --cluster=c1 --location=us-east5 \
  --machine-type=ct6e-standard-4t --tpu-topology=2x4 --num-nodes=2
