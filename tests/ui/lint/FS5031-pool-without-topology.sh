gcloud container node-pools create a --cluster=ml --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --num-nodes=4
kubectl apply -f - <<'Y'
apiVersion: v1
kind: Service
metadata:
  name: one
spec:
  clusterIP: None
  selector:
    job-name: one
---
apiVersion: batch/v1
kind: Job
metadata:
  name: one
spec:
  completionMode: Indexed
  parallelism: 4
  completions: 4
  backoffLimit: 0
  template:
    spec:
      subdomain: one
      restartPolicy: Never
      nodeSelector:
        cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
        cloud.google.com/gke-tpu-topology: 4x4  #~ FS5031
      containers:
      - name: t
        image: busybox
        resources:
          limits:
            google.com/tpu: 4
Y
