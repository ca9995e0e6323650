gcloud container clusters get-credentials a --location=us-east5
kubectl --context=prod apply -f srv.yaml
