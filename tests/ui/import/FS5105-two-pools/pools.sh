gcloud container node-pools create a --cluster=acme --location=us-west4-a --machine-type=ct5lp-hightpu-1t --num-nodes=1  #~ FS5105
gcloud container node-pools create b --cluster=acme --location=us-west4-a --machine-type=ct5lp-hightpu-1t --num-nodes=1  #~ FS5105
gcloud container node-pools create c --cluster=acme --location=us-east1-d --machine-type=ct6e-standard-4t --num-nodes=1  #~ FS5104
