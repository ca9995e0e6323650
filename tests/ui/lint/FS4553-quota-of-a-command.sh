kubectl create quota chips -n team-a --hard=requests.google.com/tpu=12,count/jobs.batch=4  #~ FS4553
kubectl create resourcequota some --namespace team-a --hard pods=1 --scopes=BestEffort
kubectl create quota enough --hard=requests.google.com/tpu=16,pods=4 -n team-a
kubectl create quota others --hard=requests.google.com/tpu=1 -n team-b
kubectl apply -f - <<'Y'
apiVersion: v1
kind: Service
metadata: {name: one, namespace: team-a}
spec: {clusterIP: None, publishNotReadyAddresses: true, selector: {job-name: one}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: one, namespace: team-a}
spec:
  completions: 4
  parallelism: 4
  completionMode: Indexed
  backoffLimit: 0
  template:
    spec:
      subdomain: one
      restartPolicy: Never
      nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 4x4}
      containers: [{name: main, image: "i:1", resources: {limits: {google.com/tpu: 4}}}]
Y
