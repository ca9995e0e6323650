# A loop that runs its arguments until they succeed.
retried() {
  local n=0
  until "$@"; do
    n=$((n + 1))
    ((n < 5)) || return 1
    sleep 30
  done
}
again() {
  while ! "${@:2}"; do sleep "$1"; done
}
retried gcloud container node-pools create a --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=1  #~ FS4001
again 30 gcloud container node-pools create b --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2  #~ FS4001
# It may call what sets N.
N=2
few() { N=4; }
again 5 few
gcloud container node-pools create d --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes="$N"
