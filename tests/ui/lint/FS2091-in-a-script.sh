# flexslice: allow FS4001 - long since mended  #~ FS2091
gcloud container node-pools create px --cluster=c --location=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=4
