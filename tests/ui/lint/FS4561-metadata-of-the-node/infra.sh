gcloud container node-pools create tpu --project=acme --cluster=c --location=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=4 --workload-metadata=GCE_METADATA  #~ FS4561
gcloud iam service-accounts add-iam-policy-binding trainer@acme.iam.gserviceaccount.com --project=acme --role=roles/iam.workloadIdentityUser --member='serviceAccount:acme.svc.id.goog[ml/trainer]'
