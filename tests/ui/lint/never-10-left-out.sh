gcloud container node-pools create a --cluster=c1 --zone=us-central1 --machine-type=ct6e-standard-4t --tpu-topology=4x4
gcloud container node-pools create b --cluster=c1 --zone=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=0 --enable-autoscaling --max-nodes=4 --node-labels=cloud.google.com/gke-queued=true
