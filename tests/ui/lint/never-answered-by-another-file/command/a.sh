kubectl -n ml create secret generic model-token --from-literal=token=$T
