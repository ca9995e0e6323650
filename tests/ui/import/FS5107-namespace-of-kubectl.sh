#!/bin/bash
# kubectl creates what has no namespace of its own in that of the command, unless it is in none.
kubectl apply --namespace "$TEAM" -f - <<EOF
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: queue-v6e-4x4}
spec:
  nodeLabels: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 4x4}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: queue}
spec:
  namespaceSelector: {}
  resourceGroups:
    - coveredResources: [google.com/tpu]
      flavors:
        - name: queue-v6e-4x4
          resources: [{name: google.com/tpu, nominalQuota: 16}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: queue}
spec: {clusterQueue: queue}
---
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata:
  name: train
  labels: {kueue.x-k8s.io/queue-name: queue}
spec:
  replicatedJobs:
    - name: slice
      template:
        spec:
          parallelism: 4
          completions: 4
          backoffLimit: 0
          template:
            spec:
              restartPolicy: Never
              nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 4x4}
              containers:
                - name: train
                  image: python
                  command: [python, train.py]
                  resources: {limits: {google.com/tpu: 4}}
EOF
cat <<'EOF' | kubectl apply -n ml -f -
apiVersion: batch/v1
kind: Job
metadata: {name: other, namespace: own}
spec:
  template:
    spec:
      restartPolicy: Never
      nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 2x2}
      containers:
        - name: other
          image: python
          resources: {limits: {google.com/tpu: 4}}
EOF
#~@6 FS5107
#~@18 FS5107
