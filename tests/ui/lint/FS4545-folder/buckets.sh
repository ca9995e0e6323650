gcloud storage buckets create gs://checkpoints --location=us-east5 --no-uniform-bucket-level-access  #~ FS4545
gcloud storage buckets create gs://results --location=us-east5 --uniform-bucket-level-access
gcloud storage buckets create gs://data --location=us-east5 --no-uniform-bucket-level-access
