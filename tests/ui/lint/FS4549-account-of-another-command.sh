gcloud container node-pools create tpu --project=acmecorp --cluster=c --location=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=4
gcloud iam service-accounts add-iam-policy-binding trainer@acmecorp.iam.gserviceaccount.com --project=acmecorp --role=roles/iam.workloadIdentityUser --member="serviceAccount:acmecopr.svc.id.goog[ml/trainer]"  #~ FS4549
gcloud storage buckets add-iam-policy-binding gs://acme-out --member=serviceAccount:traner@acmecorp.iam.gserviceaccount.com --role=roles/storage.objectUser  #~ FS4549
