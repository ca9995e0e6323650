gcloud compute resource-policies create workload-policy one-policy --type=HIGH_THROUGHPUT --accelerator-topology=2x2x2 --region=us-central1
gcloud container node-pools create a --cluster=c --location=us-central1 --node-locations=us-central1-c --machine-type=tpu7x-standard-4t --num-nodes=2 --tpu-topology=2x2x2 --placement-policy=two-policy #~ FS4244
