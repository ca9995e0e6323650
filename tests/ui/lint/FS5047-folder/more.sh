gcloud container clusters create twice --location=us-central1
gcloud container clusters create-auto own-region --location=us-central1
