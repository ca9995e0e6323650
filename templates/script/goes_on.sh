
# Succeeds while a workload may be replaced: it is there and has not finished, or an earlier run of
# this script has deleted it, which the ConfigMap $2 remembers. --rerun starts it in any case.
going=
goes_on() {
  local found
  "$dry_run" || "$rerun" && return
  [[ " $going " != *" $1 "* ]] || return 0
  if ! found=$(kubectl get "$1" --ignore-not-found --namespace="$namespace" \
    --output='jsonpath={.metadata.name} {.status.conditions[?(@.status=="True")].type} {.status.jobDeploymentStatus}' 2>&1); then
    [[ $found != *"the server doesn't have a resource type"* ]] || return 1
    echo "$found" >&2
    exit 1
  fi
  found=${found%"${found##*[! ]}"}
  if [[ $found && " $found " != *' '@(Complete|Completed|Failed|Succeeded)' '* ]]; then
    going+=" $1"
    [[ $2 ]] || return 0
    kubectl apply --filename=- --namespace="$namespace" >/dev/null <<<"{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"$2\"}}" || exit
    return
  fi
  found=
  [[ ! $2 ]] || found=$(kubectl get "configmap/$2" --ignore-not-found --output=name --namespace="$namespace") || exit
  [[ ! $found ]] || return 0
  echo '    has finished, or was never started: left; --rerun starts the new one'
  return 1
}
