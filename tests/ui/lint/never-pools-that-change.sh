# What comes later decides how many nodes a pool has, and which taints.
until gcloud container clusters describe ml --location=us-west4; do ((n--)) || exit 1; done
gcloud container node-pools create a --cluster=ml --location=us-west4 --node-locations=us-west4-a --machine-type=ct5lp-hightpu-8t --num-nodes=1 --node-taints=team=vision:NoSchedule
gcloud container node-pools update a --cluster=ml --location=us-west4 --enable-autoscaling --total-min-nodes=0 --total-max-nodes=4
gcloud container node-pools update a --cluster=ml --location=us-west4 --node-taints=""
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
