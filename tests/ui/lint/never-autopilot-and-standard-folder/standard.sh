gcloud container clusters create c2 --location=us-east5
