gcloud container clusters create-auto c1 --location=us-east5
