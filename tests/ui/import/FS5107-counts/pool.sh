gcloud container node-pools create pool --cluster=c --region=us-west4 --node-locations=us-west4-a \
  --machine-type=ct5lp-hightpu-4t --tpu-topology=4x4 --flex-start --reservation-affinity=none \
  --enable-autoscaling --num-nodes=0 --min-nodes=0 --no-enable-autorepair --location-policy=ANY \
  --max-nodes=2  #~ FS4001 FS5107
