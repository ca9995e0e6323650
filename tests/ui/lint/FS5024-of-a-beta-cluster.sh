gcloud beta container clusters create a --zone=us-east5-b --machine-type=ct6e-standard-1t --flex-start --preemptible  #~ FS5024
