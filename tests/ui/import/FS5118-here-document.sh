kubectl apply -f - <<EOF
apiVersion: batch/v1
kind: Job
metadata:
  name: train
spec:
  template:
    spec:
      restartPolicy: Never
      nodeSelector:
        cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
        cloud.google.com/gke-tpu-topology: 2x2
      containers:
      - name: train
        image: img:1
        command: [bash, -c, "echo \$HOSTNAME $RUN \$(date) $(date +%s)"]  #~ FS5118 FS5118
        env:
        - {name: RUN_ID, value: "$RUN"}
        - {name: STAMP, value: "$(date +%s)"}
        - {name: H, value: "\$(HOSTNAME)"}
        resources: {limits: {google.com/tpu: 4}}
EOF
