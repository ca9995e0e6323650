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
        env:
        {{- if .Values.b }}  #~ FS5119
        - name: B
          value: b
        {{- else if .Values.c }}
        - name: C
          value: c
        {{- else }}
        - name: D
          value: d
        {{- end }}
        {{- with .Values.e }}
        - name: E
          value: e
        {{- end }}
        resources:
          limits:
            google.com/tpu: 4
