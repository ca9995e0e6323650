gcloud container node-pools create a --cluster=ml --location=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=4
kubectl apply -f - <<'Y'
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: {name: a}
spec:
  replicas: 1  #~ FS4533
  rolloutStrategy: {type: RollingUpdate, rollingUpdateConfiguration: {maxSurge: 1, maxUnavailable: 0}}
  leaderWorkerTemplate:
    size: 4
    workerTemplate:
      spec:
        nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 4x4}
        containers: [{name: t, image: "x:1", resources: {limits: {google.com/tpu: 4}}}]
Y
