gcloud container clusters create ml --location=us-west4 --enable-autoprovisioning --max-accelerator=type=tpu-v5-lite-podslice,count=64 --max-cpu=500 --max-memory=2000
gcloud container node-pools create a --cluster=ml --location=us-west4 --node-locations=us-west4-a --machine-type=ct5lp-hightpu-8t --num-nodes=1
kubectl apply -f - <<'Y'
apiVersion: apps/v1
kind: Deployment
metadata: {name: d}
spec:
  replicas: 4
  strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}
  selector: {matchLabels: {app: d}}
  template:
    metadata: {labels: {app: d}}
    spec:
      nodeSelector:
        cloud.google.com/gke-tpu-accelerator: tpu-v5-lite-podslice
        cloud.google.com/gke-tpu-topology: 2x4
      containers:
      - name: t
        image: us-docker.pkg.dev/acme/ml/train:1
        resources: {limits: {google.com/tpu: 8}}
Y
