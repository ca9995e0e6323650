gcloud container node-pools create elsewhere --cluster=c1 --location=us-west1 --node-locations=us-west1-b --machine-type=ct6e-standard-4t --num-nodes=1  #~ FS3017
gcloud container node-pools create twice --cluster=c1 --location=us-east5 --node-locations=us-east5-b,us-east5-b --machine-type=ct6e-standard-4t --num-nodes=1  #~ FS4024
gcloud container node-pools create cpus --cluster=c1 --location=us-east5 --machine-type=n2-standard-8 --tpu-topology=4x4 --num-nodes=4  #~ FS3003
