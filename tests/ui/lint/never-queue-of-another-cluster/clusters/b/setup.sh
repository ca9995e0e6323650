gcloud container clusters create b --location=us-east5-b --num-nodes=1
gcloud container node-pools create p --cluster=b --location=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=2x4 --num-nodes=2
kubectl apply -f clusters/b
