gcloud container node-pools create team --cluster=ml --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-8t --num-nodes=2 --node-labels=team=a --node-taints=team=a:NoSchedule
kubectl apply -f - <<'Y'
apiVersion: batch/v1
kind: Job
metadata: {name: one}
spec:
  template:
    spec:
      restartPolicy: Never
      nodeSelector:
        cloud.google.com/gke-nodepool: team  #~ FS4530
        cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
        cloud.google.com/gke-tpu-topology: 2x4
      containers: [{name: t, image: busybox, resources: {limits: {google.com/tpu: 8}}}]
---
apiVersion: batch/v1
kind: Job
metadata: {name: two}
spec:
  template:
    spec:
      restartPolicy: Never
      nodeSelector:
        cloud.google.com/gke-nodepool: team
        cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
        cloud.google.com/gke-tpu-topology: 2x4
        team: b  #~ FS4036
      tolerations: [{key: team, operator: Exists}]
      containers: [{name: t, image: busybox, resources: {limits: {google.com/tpu: 8}}}]
Y
