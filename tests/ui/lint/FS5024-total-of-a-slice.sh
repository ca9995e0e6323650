gcloud container node-pools create slice --cluster=c1 --location=us-east5 --machine-type=ct6e-standard-4t --tpu-topology=4x4 --flex-start --enable-autoscaling --num-nodes=0 --total-max-nodes=4 #~ FS5024

gcloud container node-pools create hosts --cluster=c1 --location=us-east5 --machine-type=ct6e-standard-4t --tpu-topology=2x2 --enable-autoscaling --num-nodes=0 --total-max-nodes=4
gcloud container node-pools create hosts --cluster=c1 --location=us-east5 --machine-type=ct6e-standard-4t --enable-autoscaling --num-nodes=0 --total-max-nodes=4
