# flexslice: allow FS4001 - a pool that we grow by hand
gcloud container node-pools create px --cluster=c --location=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=3
gcloud container node-pools create px --cluster=c --location=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=3  # flexslice: allow FS4001 - the same
