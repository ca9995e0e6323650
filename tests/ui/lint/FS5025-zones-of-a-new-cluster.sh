gcloud container clusters create ml --location=us-east5 --num-nodes=1
gcloud container node-pools create a --cluster=ml --location=us-east5 --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=4  #~ FS5025
gcloud container clusters create one --location=us-east5 --node-locations=us-east5-b --num-nodes=1
gcloud container node-pools create b --cluster=one --location=us-east5 --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=4
gcloud container node-pools create c --cluster=other --location=us-east5 --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=4
