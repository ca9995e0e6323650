gcloud config set project p-123456
gcloud config set compute/zone us-east5-b
gcloud container node-pools create np --cluster=c --machine-type=ct6e-standard-4t --num-nodes=1 --spot
cat <<'EOF' | kubectl apply -f -
apiVersion: batch/v1
kind: Job
metadata: {name: train}
spec:
  template:
    spec:
      restartPolicy: Never
      nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 2x2}
      containers:
      - {name: train, image: "img:1", command: [python, serve.py], resources: {limits: {google.com/tpu: 4}}}
EOF
