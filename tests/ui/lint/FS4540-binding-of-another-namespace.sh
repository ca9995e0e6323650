gcloud iam service-accounts add-iam-policy-binding trainer@acme.iam.gserviceaccount.com --role=roles/iam.workloadIdentityUser --member="serviceAccount:acme.svc.id.goog[ml/trainer]"
kubectl apply -f - <<'Y'
apiVersion: v1
kind: ServiceAccount
metadata:
  name: trainer
  namespace: default
  annotations:
    iam.gke.io/gcp-service-account: trainer@acme.iam.gserviceaccount.com  #~ FS4540
---
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
      serviceAccountName: trainer
      nodeSelector:
        cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
        cloud.google.com/gke-tpu-topology: 4x4
      containers:
      - name: t
        image: busybox
        resources:
          limits:
            google.com/tpu: 4
Y
