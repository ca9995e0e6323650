gcloud container node-pools create p --cluster=c --location=us-central1-a --machine-type=ct5lp-hightpu-4t --tpu-topology=2x4 --num-nodes=2
