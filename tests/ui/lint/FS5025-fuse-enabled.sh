gcloud container clusters create demo --location=us-east5 \
  --addons=HttpLoadBalancing=ENABLED,GcsFuseCsiDriver=ENABLED  #~ FS5025
gcloud container clusters create off --location=us-east5 --addons=GcsFuseCsiDriver=DISABLED
gcloud container clusters create with --location=us-east5 --addons=GcsFuseCsiDriver=ENABLED \
  --workload-pool=my-project.svc.id.goog
gcloud container node-pools create tpus --cluster=demo --location=us-east5 --node-locations=us-east5-b \
  --machine-type=ct6e-standard-4t --num-nodes=1
