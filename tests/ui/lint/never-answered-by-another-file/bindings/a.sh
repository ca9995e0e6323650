gcloud iam service-accounts add-iam-policy-binding tpu-train@p-1.iam.gserviceaccount.com --project=p-1 --role=roles/iam.workloadIdentityUser --member="serviceAccount:p-1.svc.id.goog[default/train]"
kubectl apply -f - <<'EOF'
apiVersion: v1
kind: ServiceAccount
metadata: {name: train, namespace: ml, annotations: {iam.gke.io/gcp-service-account: tpu-train@p-1.iam.gserviceaccount.com}}
---
apiVersion: v1
kind: Service
metadata: {name: j, namespace: ml}
spec: {clusterIP: None, selector: {job-name: j}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: j, namespace: ml}
spec:
  completions: 4
  parallelism: 4
  completionMode: Indexed
  backoffLimit: 0
  template:
    metadata: {annotations: {gke-gcsfuse/volumes: "true"}}
    spec:
      serviceAccountName: train
      subdomain: j
      restartPolicy: Never
      nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 4x4}
      containers:
      - {name: c, image: "python:3.12", command: [python, t.py], resources: {limits: {google.com/tpu: 4}}, volumeMounts: [{name: b, mountPath: /b}]}
      volumes: [{name: b, csi: {driver: gcsfuse.csi.storage.gke.io, volumeAttributes: {bucketName: ckpts}}}]
EOF
