gcloud compute resource-policies create workload-policy pool-c-policy --type=HIGH_THROUGHPUT --accelerator-topology=2x2x4 --region=us-central1
gcloud container node-pools create pool --cluster=c --region=us-central1 --node-locations=us-central1-c \
  --machine-type=tpu7x-standard-4t --placement-policy=pool-c-policy --num-nodes=4 --disk-size=500 \
  --tags=training  #~ FS5106
