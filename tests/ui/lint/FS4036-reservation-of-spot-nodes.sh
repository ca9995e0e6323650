gcloud container node-pools create rp --cluster=c --location=us-east5 --node-locations=us-east5-a --machine-type=ct5p-hightpu-4t --tpu-topology=2x2x4 --num-nodes=4 --spot
kubectl apply -f - <<'EOF'
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata:
  name: r
  annotations: {alpha.jobset.sigs.k8s.io/exclusive-topology: cloud.google.com/gke-nodepool}
spec:
  replicatedJobs:
  - name: w
    replicas: 1
    template:
      spec:
        parallelism: 4
        completions: 4
        backoffLimit: 0
        template:
          spec:
            restartPolicy: Never
            nodeSelector:
              cloud.google.com/gke-tpu-accelerator: tpu-v5p-slice
              cloud.google.com/gke-tpu-topology: 2x2x4
              cloud.google.com/reservation-name: res-v5p  #~ FS4036
            containers:
            - {name: c, image: "python:3.12", command: [python, t.py], resources: {limits: {google.com/tpu: 4}}}
EOF
