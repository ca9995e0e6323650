kubectl apply -f - <<EOF
apiVersion: v1
kind: Pod
metadata: {name: a}
spec:
  nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 2x2}
  restartPolicy: Always
  containers: [{name: a, image: a:1, resources: {limits: {google.com/tpu: 4}}}]
  restartPolicy: Never #~ FS1002
EOF
