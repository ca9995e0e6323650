gcloud container node-pools create a --cluster=ml --location=us-east5-b --machine-type=ct6e-standard-8t --num-nodes=1 --scopes=cloud-platform-2,storage-ro  #~ FS2006
gcloud container node-pools create b --cluster=ml --location=us-east5-b --machine-type=ct6e-standard-8t --num-nodes=1 --scopes=https://www.googleapis.ocm/auth/cloud-platform  #~ FS2006
gcloud container node-pools create c --cluster=ml --location=us-east5-b --machine-type=ct6e-standard-8t --num-nodes=1 --scopes=https://www.googleapis.com/auth/devstorage.read_only,cloud-platform,something-new
