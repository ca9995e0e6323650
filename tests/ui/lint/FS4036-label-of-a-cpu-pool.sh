gcloud container node-pools create tpus --cluster=ml --location=us-east5-b --machine-type=ct6e-standard-8t --num-nodes=1
gcloud container node-pools create heads --cluster=ml --location=us-east5-b --machine-type=n2-standard-16 --num-nodes=1 --node-labels=role=head
kubectl apply -f - <<'Y'
apiVersion: v1
kind: Pod
metadata: {name: head}
spec:
  nodeSelector: {role: haed}  #~ FS4036
  containers: [{name: t, image: "x:1", resources: {requests: {cpu: 2}}}]
---
apiVersion: v1
kind: Pod
metadata: {name: other}
spec:
  nodeSelector: {team: a}
  containers: [{name: t, image: "x:1", resources: {requests: {cpu: 2}}}]
Y
