gcloud container clusters create models --zone=us-central1-a --project=shop
