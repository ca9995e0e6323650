#!/bin/bash
# google.com/tpu
ARGS=()
ARGS+=(--spot --location=us-east5)
EXTRA=
gcloud container clusters create demo --location=us-east5 --addons=GcsFuseCsiDriver=ENABLED,HttpLoadBalancing=DISABLED --workload-pool=p.svc.id.goog
gcloud container clusters create demo --location=us-east5 --addons GcsFuseCsiDriver,SliceController --workload-pool=p.svc.id.goog
gcloud container node-pools create tpus --cluster=demo --machine-type=ct6e-standard-4t --num-nodes=1 --workload-metadata=gke_metadata "${ARGS[@]}"
gcloud compute resource-policies create workload-policy wp --region us-central1 --type high-throughput $EXTRA
gcloud container clusters get-credentials $EXTRA
gcloud container node_pools list --cluster demo -q
gcloud --project my-project container clusters list --uri --filter name=demo
gcloud beta container clusters create demo --location=us-east5 --enable-k8s-certs-via-dns
gcloud version; gcloud info --format=json; gcloud auth login; gcloud components install gke-gcloud-auth-plugin
gcloud container clusters list --format="table(name,status)" --limit=unlimited --page-size 10
gcloud container node-pools update tpus --cluster=demo --location=us-east5 --node-labels=^:^a=1,2:b=3
dependencies=("gcloud" "awk" "kubectl"); TOOLS=(gcloud terraform)
