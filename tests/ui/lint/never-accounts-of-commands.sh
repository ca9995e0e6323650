gcloud container node-pools create tpu --project=acmecorp --cluster=c --location=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=4
gcloud iam service-accounts add-iam-policy-binding trainer-a@acmecorp.iam.gserviceaccount.com --project=acmecorp --role=roles/iam.workloadIdentityUser --member="serviceAccount:acmecorp.svc.id.goog[ml/trainer-a]"
gcloud iam service-accounts add-iam-policy-binding trainer-b@acmecorp.iam.gserviceaccount.com --project=acmecorp --role=roles/iam.workloadIdentityUser --member="serviceAccount:acmecorp.svc.id.goog[ml/trainer-b]"
gcloud storage buckets add-iam-policy-binding gs://acme-out --member="serviceAccount:$NAME@acmecorp.iam.gserviceaccount.com" --role=roles/storage.objectUser
gcloud storage buckets add-iam-policy-binding gs://acme-out --member=serviceAccount:trainer1@acmecorp.iam.gserviceaccount.com --role=roles/storage.objectUser
gcloud storage buckets add-iam-policy-binding gs://acme-out --member=serviceAccount:trainer2@acmecorp.iam.gserviceaccount.com --role=roles/storage.objectUser
