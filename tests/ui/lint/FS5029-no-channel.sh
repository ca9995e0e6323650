gcloud container clusters create tpus --location=us-east5 --release-channel=None --num-nodes=1  #~ FS5029
gcloud container clusters create others --location=us-east5 --release-channel=rapid --num-nodes=1
gcloud container node-pools create slices --cluster=tpus --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --num-nodes=1
