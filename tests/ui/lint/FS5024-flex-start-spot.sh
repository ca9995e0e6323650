if ! gcloud container node-pools create pool --cluster=c1 --location=us-east5 --machine-type=ct6e-standard-4t --flex-start --spot; then exit 1; fi #~ FS5024
