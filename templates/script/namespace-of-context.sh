
# `kubectl apply` used the namespace of the current context, so it is read before the script gets
# credentials of its own.
if [[ ! $namespace ]]; then
  namespace=$(kubectl config view --minify --output='jsonpath={.contexts[0].context.namespace}' 2>/dev/null) || true
  namespace=${namespace:-default}
fi
step "Use namespace $namespace"
