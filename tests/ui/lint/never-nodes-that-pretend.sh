# Ordinary machines with the labels of TPU nodes, for tests of schedulers.
gcloud container node-pools create pretending --cluster=c --location=us-east5 --num-nodes=1 \
  --machine-type=e2-standard-4 \
  --node-labels=cloud.google.com/gke-tpu-accelerator=tpu-v4-podslice,cloud.google.com/gke-tpu-topology=2x2x1
