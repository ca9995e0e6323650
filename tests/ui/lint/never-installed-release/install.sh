#!/bin/bash
set -euo pipefail
# The next one: https://github.com/kubernetes-sigs/kueue/releases/download/v0.20.0/manifests.yaml
kubectl delete -f https://github.com/kubernetes-sigs/kueue/releases/download/v0.20.1/manifests.yaml
kubectl apply --server-side -f https://github.com/kubernetes-sigs/kueue/releases/download/v0.11.0/manifests.yaml
kubectl apply -k "github.com/kubernetes-sigs/jobset/config/default?ref=v0.8.0"
