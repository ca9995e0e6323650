gcloud container node-pools create small --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=2x2 --num-nodes=1
kubectl apply -f - <<'EOF'
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: {name: s, annotations: {leaderworkerset.sigs.k8s.io/exclusive-topology: cloud.google.com/gke-nodepool}}
spec:
  replicas: 2
  leaderWorkerTemplate:
    size: 4
    workerTemplate:
      spec:
        nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 4x4} #~ FS5031
        containers: [{name: c, image: "python:3.12", command: [python, s.py], resources: {limits: {google.com/tpu: 4}}}]
EOF
