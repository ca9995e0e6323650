gcloud container clusters create tpus --zone=us-east5-b --machine-type=ct6e-standard-1t \
  --flex-start --num-nodes=1 --spot  #~ FS5026
gcloud container clusters create-auto tpus --region=us-east5 --max-run-duration=2h  #~ FS5026
gcloud container clusters create slices --zone=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4  #~ FS5026
gcloud beta container clusters create later --zone=us-east5-b --flex-start --num-nodes=1  #~ FS5151
