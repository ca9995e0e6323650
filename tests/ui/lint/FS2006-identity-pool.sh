gcloud container clusters create a --location=us-east5-b --workload-pool=my-project.vsc.id.goog  #~ FS2006
gcloud container node-pools create p --cluster=a --location=us-east5-b --machine-type=ct6e-standard-8t --num-nodes=1
gcloud container clusters create b --location=us-east5-b --workload-pool=another.svc.id.goog
