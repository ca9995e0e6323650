#!/bin/bash
N=2
bash -c "gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=$N"  #~ FS4001
bash -euxc 'gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2'  #~ FS4001
N=4
bash -c "gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=$N"
bash -c 'gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=$N'
bash -c "N=2; gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=\$N"  #~ FS4001
CMD="gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2"  #~ FS4001
eval "$CMD"
eval $CMD
CMD="gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b"
CMD="$CMD --machine-type=ct6e-standard-4t --tpu-topology=4x4"
CMD="$CMD --num-nodes=2"  #~ FS4001
eval "$CMD"
ssh -i key host "gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2"  #~ FS4001
ssh -o A=b host gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2  #~ FS4001
gcloud compute ssh host --zone=us-east5-b --command="gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2"  #~ FS4001
trap 'gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2' EXIT  #~ FS4001
echo a b | xargs -n1 -I{} gcloud container node-pools create {} --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2  #~ FS4001
echo a | xargs gcloud container node-pools delete --cluster=c --location=us-east5 --quiet
sudo timeout 30 gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2  #~ FS4001
watch -n 5 "gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2"  #~ FS4001
su -c "gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2" me  #~ FS4001
docker run --rm -it google/cloud-sdk gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2  #~ FS4001
kubectl exec pod -- bash -c "gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2"  #~ FS4001
sudo -u me bash -c "bash -c 'gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2'"  #~ FS4001
ssh host <<'E'
gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2  #~ FS4001
gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=4
E
bash -s <<E
gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=$N
N=2
gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=\$N  #~ FS4001
E
cat <<E
gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2
E
bash script.sh -c "gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2"
