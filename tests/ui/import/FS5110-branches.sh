if [ "$PLATFORM" = v5p ]; then
  ACCEL=tpu-v5p-slice; TOPO=${TOPO:-4x8x8}; NODES=${NODES:-64}
else
  ACCEL=tpu7x; TOPO=${TOPO:-4x4x4}; NODES=${NODES:-16}
fi
cat <<EOF | kubectl apply -f -
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: s}  #~ FS5110 FS5110 FS5116
spec:
  replicatedJobs:
  - name: slice
    template:
      spec:
        completions: $NODES
        parallelism: $NODES
        backoffLimit: 0
        template:
          spec:
            restartPolicy: Never
            nodeSelector: {cloud.google.com/gke-tpu-accelerator: $ACCEL, cloud.google.com/gke-tpu-topology: $TOPO}
            containers: [{name: s, image: "img:1", resources: {limits: {google.com/tpu: 4}}}]
EOF
