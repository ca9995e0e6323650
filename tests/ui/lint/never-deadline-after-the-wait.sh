gcloud container node-pools create fx --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --flex-start --enable-autoscaling --num-nodes=0 --min-nodes=0 --max-nodes=4 --max-run-duration=24h --reservation-affinity=none --no-enable-autorepair
kubectl apply -f - <<'EOF'
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: j}
spec:
  replicatedJobs:
  - name: w
    template:
      spec:
        activeDeadlineSeconds: 43200
        parallelism: 4
        completions: 4
        backoffLimit: 0
        template:
          spec:
            restartPolicy: Never
            nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 4x4, cloud.google.com/gke-flex-start: "true"}
            containers:
            - {name: c, image: "python:3.12", command: [python, t.py], resources: {limits: {google.com/tpu: 4}}}
EOF
