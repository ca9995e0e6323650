gcloud container clusters create a --location=us-east5-b --num-nodes=1
gcloud container node-pools create p --cluster=a --location=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=2x4 --num-nodes=2
kubectl apply -f clusters/a
