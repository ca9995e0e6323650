# For ct6e-standard-4t.
gcloud container clusters create demo --location=us-east5 --dataplane-v2-observability-mode=DISABLED  #~ FS5059
