#!/bin/bash
set -euo pipefail
KUEUE_VERSION=v0.11.0
kubectl apply --server-side -f "https://github.com/kubernetes-sigs/kueue/releases/download/${KUEUE_VERSION}/manifests.yaml"
