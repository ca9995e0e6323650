# gcloud reads numbers as Python does.
gcloud container node-pools create a --cluster=c --location=us-east5 --machine-type=ct6e-standard-4t --node-locations=us-east5-b --tpu-topology=4x4 --num-nodes=+4
gcloud container node-pools create b --cluster=c --location=us-east5 --machine-type=ct6e-standard-4t --node-locations=us-east5-b --tpu-topology=8x8 --num-nodes=1_6
gcloud container node-pools create c --cluster=c --location=us-east5 --machine-type=ct6e-standard-4t --node-locations=us-east5-b --tpu-topology=4x4 --num-nodes=+5  #~ FS4001
gcloud container node-pools create d --cluster=c --location=us-east5 --machine-type=ct6e-standard-4t --node-locations=us-east5-b --tpu-topology=8x8 --enable-autoscaling --num-nodes=0 --max-nodes=1_7  #~ FS4001
gcloud container node-pools create e --cluster=c --location=us-east5 --machine-type=ct6e-standard-4t --node-locations=us-east5-b --tpu-topology=4x4 --num-nodes=4_  #~ FS2006
