gcloud container node-pools create train-pool --cluster=CLUSTER --location=us-east5 --node-locations=us-east5-b \
  --machine-type=ct6e-standard-4t --tpu-topology=2x2 --num-nodes=1 --spot --scopes=cloud-platform --project=ACME-ML
kubectl apply -f - <<'EOF'
apiVersion: batch/v1
kind: Job
metadata:
  name: train  #~ FS5110 FS5110 FS5116
spec:
  template:
    spec:
      restartPolicy: Never
      nodeSelector:
        cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
        cloud.google.com/gke-tpu-topology: 2x2
      containers:
        - name: train
          image: python:3.12
          workingDir: /app
          command: [python, train.py]
          env:
            - {name: TPU_WORKER_ID, value: "0"}  #~ FS5111 FS4012
            - {name: RANK, value: rank-$(TPU_WORKER_ID)}
          resources:
            limits: {google.com/tpu: 4}
EOF
