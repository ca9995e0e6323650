gcluster job submit --cluster c --location us-east5 --name train --compute-type v6e-16 --topology 4x4 --image img --command "python train.py" --queue "$QUEUE"
kubectl apply -f - <<E
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: team-b, namespace: default}
spec: {clusterQueue: cq}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: cq}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: ["google.com/tpu"]
    flavors:
    - name: f
      resources: [{name: "google.com/tpu", nominalQuota: 16}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: f}
spec:
  nodeLabels: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 4x4}
E
gcluster job submit --cluster c --location us-east5 --name train2 --compute-type v6e-16 --topology 4x4 --image img --command "python train.py" --queue team-b
