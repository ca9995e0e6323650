# gcloud takes another separator between `^`, of any length.
gcloud container node-pools create two --cluster=c --location=us-east5 --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=4 --node-locations='^;^us-east5-a;us-east5-b'  #~ FS4003
gcloud container node-pools create one --cluster=c --location=us-east5 --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=4 --node-locations='^--^us-east5-a--' --node-labels='^:::^team=a:::tier=b' --metadata='^|^a=1,2|b=3'
gcloud container node-pools create labels --cluster=c --location=us-east5 --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=4 --node-locations=us-east5-a --node-labels='^;^team=a,b;cloud.google.com/gke-nodepool=x'  #~ FS2006 FS5027
gcloud container node-pools create twice --cluster=c --location=us-east5 --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=4 --node-locations=us-east5-a --metadata='^;^a=1;a=2'  #~ FS5058
