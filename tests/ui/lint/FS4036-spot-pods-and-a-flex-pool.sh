gcloud container node-pools create a --cluster=ml --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --flex-start --enable-autoscaling --num-nodes=0 --min-nodes=0 --max-nodes=4 --reservation-affinity=none --no-enable-autorepair
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
        cloud.google.com/gke-tpu-topology: 4x4
        cloud.google.com/gke-nodepool: a
        cloud.google.com/gke-spot: "true"  #~ FS4036
      containers:
      - name: t
        image: busybox
        resources:
          limits:
            google.com/tpu: 4
Y
