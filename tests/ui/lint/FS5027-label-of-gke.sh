gcloud container node-pools create tpus --cluster=c --machine-type=ct6e-standard-1t --spot \
  --node-labels=team=research,cloud.google.com/gke-tpu-topology=1x1  #~ FS5027
# This one is needed, and has to be given.
gcloud container node-pools create queued --cluster=c --machine-type=ct6e-standard-1t --spot \
  --node-labels=cloud.google.com/gke-queued=true
