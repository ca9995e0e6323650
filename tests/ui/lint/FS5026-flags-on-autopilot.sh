gcloud container clusters create-auto a --region=us-east5 --flex-start  #~ FS5026
gcloud container clusters create-auto b --region=us-east5 --tpu-topology=2x2  #~ FS5026
# One mistake gives one message.
gcloud container clusters create c --zone=us-east5-b --spot --enable-queued-provisioning  #~ FS5026
