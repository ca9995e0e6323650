# gcloud container node-pools create a --cluster=c1 --machine-type=ct5e-standard-4 --flex-start --spot
echo "gcloud container node-pools create a --machine-type=ct5e-standard-4"
