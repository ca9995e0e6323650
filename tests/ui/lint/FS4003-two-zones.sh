gcloud container node-pools create pool --cluster=c1 --machine-type=ct6e-standard-4t --tpu-topology=4x4 --node-locations=us-east5-a,us-east5-b #~ FS4003
