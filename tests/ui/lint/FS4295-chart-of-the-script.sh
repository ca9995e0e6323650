helm install kueue oci://registry.k8s.io/kueue/charts/kueue \
  --version="0.13.4" --namespace kueue-system --create-namespace --wait
kubectl apply -f - <<'Y'
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata:
  name: v6e-4x4
spec:
  nodeLabels:
    cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
    cloud.google.com/gke-tpu-topology: 4x4
Y
#~@4 FS4295
