gcloud container node-pools create pool --cluster=c1 --machine-type=ct4p-hightpu-4t --flex-start #~ FS3012
