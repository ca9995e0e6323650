SECRET=${SECRET:-hf-secret}
kubectl create secret generic "$SECRET" --from-env-file=.env
kubectl create secret generic gcs-keys --from-file=keys/
kubectl create secret docker-registry pull --docker-server=us-docker.pkg.dev --docker-username=_json_key --docker-password="$(cat key.json)"
kubectl apply -f - <<'Y'
apiVersion: batch/v1
kind: Job
metadata: {name: train}
spec:
  backoffLimit: 3
  template:
    spec:
      restartPolicy: Never
      imagePullSecrets: [{name: pull}]
      nodeSelector:
        cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
        cloud.google.com/gke-tpu-topology: 2x2
      containers:
      - name: train
        image: us-docker.pkg.dev/acme/ml/train:1
        env:
        - name: HF_TOKEN
          valueFrom: {secretKeyRef: {name: hf-secret, key: hf_token}}
        - name: KEY
          valueFrom: {secretKeyRef: {name: gcs-keys, key: key.json}}
        resources: {limits: {google.com/tpu: 4}}
Y
