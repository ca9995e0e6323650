gcloud container node-pools create t --cluster=c --project=p-1 --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=4
gcloud iam service-accounts add-iam-policy-binding tpu-train@p-1.iam.gserviceaccount.com --project=p-1 --role=roles/iam.workloadIdentityUser --member="serviceAccount:p-1.svc.id.goog[ml/train]"
