gcloud container clusters get-credentials b --location=us-east5
kubectl apply -f srv-b.yaml
