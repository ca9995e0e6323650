gcloud container node-pools create pool --cluster=c1 --machine-type=ct6e-standard-4t --flex-start --max-run-duration=5m #~ FS4009
