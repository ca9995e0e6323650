gcloud container clusters create-auto c1 --project=p1 --zone=us-east5-b # for google.com/tpu #~ FS4037
