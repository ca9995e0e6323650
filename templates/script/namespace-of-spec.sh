if [[ ${namespace:-$of_spec} != "$of_spec" ]]; then
  echo "${0##*/}: the spec says namespace $of_spec, so --namespace $namespace has no objects of it" >&2
  exit 2
fi
namespace=$of_spec
step "Use namespace $namespace"
