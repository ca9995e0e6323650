gcloud container node-pools create p --cluster=ml --location=us-east5-b --machine-type=ct6e-standard-8t --num-nodes=1
kubectl apply -f - <<'Y'
apiVersion: batch/v1
kind: Job
metadata: {name: one}
spec:
  template:
    spec:
      restartPolicy: Never
      nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slcie, cloud.google.com/gke-tpu-topology: 2x4}  #~ FS3001
      containers: [{name: t, image: "x:1", resources: {limits: {google.com/tpu: 8}}}]
Y
