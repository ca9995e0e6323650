#!/bin/bash
# A fix is for what the file says itself, not for what the shell writes in its place, or next to it.
CHIPS=4
cat <<EOF | kubectl apply -f -
apiVersion: batch/v1
kind: Job
metadata: {name: a}
spec:
  template:
    spec:
      restartPolicy: Never
      nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 2x2}
      containers:
        - name: a
          image: us-docker.pkg.dev/acme/train/run:v1
          command: [bash, -c, "echo \$HOSTNAME \\\\ \`hostname\` \
            \${CHIPS}"]
          env:
            - {name: A, value: ${CHIPS}}
            - {name: B, value: 4}
            - {name: C, value: ${CHIPS}00}
            - {name: D, value: "${CHIPS}"}
            - {name: "\$E", value: 5}
          resources: {limits: {google.com/tpu: ${CHIPS}}}
EOF
#~@19 FS5005
#~@20 FS5005
#~@21 FS5005
#~@23 FS5005
