kubectl apply --server-side -f https://github.com/kubernetes-sigs/kueue/releases/download/v0.14.2/manifests.yaml
kubectl apply -f - <<'EOF'
apiVersion: kueue.x-k8s.io/v1beta2  #~ FS4295
kind: ResourceFlavor
metadata: {name: v5p-2x2x4}
spec:
  nodeLabels: {cloud.google.com/gke-tpu-accelerator: tpu-v5p-slice, cloud.google.com/gke-tpu-topology: 2x2x4}
EOF
