gcloud container node-pools create job-1-pool --cluster=c --location=us-east5 --node-locations=us-east5-b \
  --machine-type=ct6e-standard-4t --tpu-topology=4x4 --flex-start --enable-queued-provisioning --enable-autoscaling \
  --num-nodes=0 --min-nodes=0 --max-nodes=4 --reservation-affinity=none --no-enable-autorepair
