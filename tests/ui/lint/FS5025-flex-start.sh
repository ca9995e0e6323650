N=4
gcloud container node-pools create fixed --cluster=c1 --location=us-east5 --machine-type=ct6e-standard-4t --flex-start --num-nodes=0 #~ FS5025
gcloud container node-pools create default --cluster=c1 --location=us-east5 --machine-type=ct6e-standard-4t --flex-start --enable-autoscaling --max-nodes=1 #~ FS5025
gcloud container node-pools create slice --cluster=c1 --location=us-east5 --machine-type=ct6e-standard-4t --tpu-topology=4x4 --flex-start --enable-autoscaling --num-nodes=2 --max-nodes=4 #~ FS5025
gcloud container node-pools create variable --cluster=c1 --location=us-east5 --machine-type=ct6e-standard-4t --tpu-topology=4x4 --flex-start --enable-autoscaling --num-nodes=$N --max-nodes=4 #~ FS5025

gcloud container node-pools create right --cluster=c1 --location=us-east5 --machine-type=ct6e-standard-4t --tpu-topology=4x4 --flex-start --enable-autoscaling --num-nodes 0 --max-nodes=4
gcloud container node-pools create filled-in --cluster=c1 --location=us-east5 --machine-type=ct6e-standard-4t --flex-start --enable-autoscaling --num-nodes=NUM_NODES --max-nodes=4
gcloud container node-pools create more $FLAGS --cluster=c1 --location=us-east5 --machine-type=ct6e-standard-4t --flex-start #~ FS5045
gcloud container node-pools create fixed --cluster=c1 --location=us-east5 --machine-type=ct6e-standard-4t --no-flex-start --num-nodes=1
gcloud container node-pools create no-limit --cluster=c1 --location=us-east5 --machine-type=ct6e-standard-4t --enable-autoscaling --num-nodes=1 #~ FS5025
gcloud container node-pools create in-total --cluster=c1 --location=us-east5 --machine-type=ct6e-standard-4t --enable-autoscaling --total-max-nodes=1
gcloud container node-pools create fixed-queue --cluster=c1 --location=us-east5 --machine-type=ct6e-standard-4t --enable-queued-provisioning #~ FS5025
