#!/bin/bash
TEMPLATE="apiVersion: batch/v1
kind: Job
metadata: {name: a}
spec:
  completions: __N__
  parallelism: __N__
  completionMode: Indexed
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: __T__}
      containers:
      - {name: a, image: b, resources: {limits: {google.com/tpu: 4}, requests: {google.com/tpu: 4}}}
"
for each in 4x4:4 4x8:8; do
  text=${TEMPLATE//__N__/${each#*:}}
  text=${text//__T__/${each%:*}}
  kubectl apply -f - <<< "$text"
done
cat <<E | sed 's/completions: 2/completions: 4/; s/parallelism: 2/parallelism: 4/' | kubectl apply -f -
apiVersion: batch/v1
kind: Job
metadata: {name: a}
spec:
  completions: 2
  parallelism: 2
  completionMode: Indexed
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 4x4}
      containers:
      - {name: a, image: b, resources: {limits: {google.com/tpu: 4}, requests: {google.com/tpu: 4}}}
E
ONE='apiVersion: batch/v1
kind: Job
metadata: {name: a}
spec:
  completions: 2
  parallelism: 2
  completionMode: Indexed
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 4x4}
      containers:
      - {name: a, image: b, resources: {limits: {google.com/tpu: 4}, requests: {google.com/tpu: 4}}}
'
echo "$ONE" | yq '.spec.completions = 4' | kubectl apply -f -
cat > job.yaml <<E
apiVersion: batch/v1
kind: Job
metadata: {name: a}
spec:
  completions: 2
  parallelism: 2
  completionMode: Indexed
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 4x4}
      containers:
      - {name: a, image: b, resources: {limits: {google.com/tpu: 4}, requests: {google.com/tpu: 4}}}
E
sed -i 's/: 2$/: 4/' job.yaml
BAD='apiVersion: batch/v1
kind: Job
metadata: {name: a}
spec:
  completions: 2
  parallelism: 2
  completionMode: Indexed
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 4x4}
      containers:
      - {name: a, image: b, resources: {limits: {google.com/tpu: 4}, requests: {google.com/tpu: 4}}}
'
if echo "$BAD" | kubectl apply --dry-run=server -f -; then exit 1; fi
: <<'E'
apiVersion: batch/v1
kind: Job
metadata: {name: a}
spec:
  completions: 2
  parallelism: 2
  completionMode: Indexed
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 4x4}
      containers:
      - {name: a, image: b, resources: {limits: {google.com/tpu: 4}, requests: {google.com/tpu: 4}}}
E
