
# Whether a network has a subnet for the proxies of regional load balancers. It has to be the network
# of the cluster, so those that have one are named.
has_proxy_subnet() {
  local what=$1 region=$2
  ask "$what" "${@:3}" || return 0
  if [[ $answer ]]; then
    ok "$what: of network ${answer//$'\n'/, }"
  else
    missing "$what" "gcloud compute networks subnets create NAME --purpose=REGIONAL_MANAGED_PROXY --role=ACTIVE --region=$region --network=NETWORK --range=RANGE creates it"
  fi
}
