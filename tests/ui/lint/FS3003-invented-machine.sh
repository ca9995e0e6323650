gcloud container node-pools create pool --cluster=c1 --machine-type=ct5e-standard-4 --num-nodes=1 #~ FS3003
