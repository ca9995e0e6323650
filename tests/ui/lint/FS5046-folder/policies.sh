# A script without TPUs in it.
gcloud compute resource-policies create workload-policy ring --type=HIGH_THROUGHPUT \
  --accelerator-topology=2x2x2 --region=us-central1
gcloud compute resource-policies create workload-policy bare --type=HIGH_THROUGHPUT --region=us-central1
gcloud compute resource-policies create workload-policy far --type=HIGH_THROUGHPUT \
  --accelerator-topology=4x4x4 --region=us-east5
gcloud compute resource-policies create group-placement group --region=us-central1 --collocation=collocated
gcloud compute resource-policies create workload-policy theirs --type=HIGH_THROUGHPUT \
  --accelerator-topology=2x2x2 --region=us-central1 --project=other
gcloud compute resource-policies create workload-policy good --type=HIGH_THROUGHPUT \
  --accelerator-topology=4x4x4 --region=us-central1
