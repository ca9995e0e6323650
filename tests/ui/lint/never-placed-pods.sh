gcloud container node-pools create spot --cluster=ml --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-8t --num-nodes=3 --spot --node-labels=team=a --node-taints=team=a:NoSchedule
gcloud container node-pools create a --cluster=ml --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=4
gcloud container node-pools create b --cluster=ml --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=4
gcloud container node-pools create heads --cluster=ml --location=us-east5 --machine-type=n2-standard-32 --num-nodes=1
kubectl apply -f - <<'Y'
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat}
spec:
  replicas: 2
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec:
      nodeSelector:
        cloud.google.com/gke-nodepool: spot
        cloud.google.com/gke-spot: "true"
        cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
        cloud.google.com/gke-tpu-topology: 2x4
        cloud.google.com/machine-family: ct6e
        team: a
      tolerations: [{key: team, operator: Equal, value: a, effect: NoSchedule}]
      containers:
      - name: chat
        image: vllm/vllm-tpu:v0.12.0
        command: [vllm, serve, Qwen/Qwen3-8B, --tensor-parallel-size=8, --port=8080]
        ports: [{containerPort: 8080}]
        readinessProbe: {httpGet: {path: /health, port: 8080}}
        lifecycle: {preStop: {exec: {command: [sleep, "20"]}}}
        resources: {limits: {google.com/tpu: 8}}
---
apiVersion: v1
kind: Service
metadata: {name: chat}
spec:
  selector: {app: chat}
  ports: [{port: 80, targetPort: 8080}]
---
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata:
  name: pathways
  annotations: {alpha.jobset.sigs.k8s.io/exclusive-topology: cloud.google.com/gke-nodepool}
spec:
  replicatedJobs:
  - name: head
    template:
      spec:
        template:
          spec:
            restartPolicy: Never
            nodeSelector: {cloud.google.com/gke-nodepool: heads}
            containers: [{name: head, image: busybox, resources: {requests: {cpu: "24", memory: 100Gi}}}]
  - name: worker
    replicas: 2
    template:
      spec:
        completions: 4
        parallelism: 4
        backoffLimit: 0
        template:
          spec:
            restartPolicy: Never
            nodeSelector:
              cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
              cloud.google.com/gke-tpu-topology: 4x4
            containers:
            - name: train
              image: us-docker.pkg.dev/acme/ml/maxtext:1
              command: [python3, -m, MaxText.train, base.yml, ici_tensor_parallelism=4, dcn_data_parallelism=2]
              resources: {limits: {google.com/tpu: 4}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: elsewhere}
spec:
  selector: {matchLabels: {app: elsewhere}}
  template:
    metadata: {labels: {app: elsewhere}}
    spec:
      nodeSelector:
        cloud.google.com/gke-tpu-accelerator: tpu-v5-lite-podslice
        cloud.google.com/gke-tpu-topology: 2x4
        cloud.google.com/gke-spot: "true"
        example.com/rack: r1
      containers: [{name: c, image: busybox, resources: {limits: {google.com/tpu: 8}}}]
Y
