gcloud container clusters create-auto ml-auto --location=us-west4-a  #~ FS4037
gcloud container clusters get-credentials ml-auto --location=us-west4
kubectl apply -f manifests.yaml
