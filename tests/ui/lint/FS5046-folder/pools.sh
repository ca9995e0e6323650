gcloud container node-pools create a --cluster=c --location=us-central1 --node-locations=us-central1-c --num-nodes=16 \
  --machine-type=tpu7x-standard-4t --tpu-topology=4x4x4 --placement-policy=ring  #~ FS5046
gcloud container node-pools create b --cluster=c --location=us-central1 --node-locations=us-central1-c --num-nodes=16 \
  --machine-type=tpu7x-standard-4t --tpu-topology=4x4x4 --placement-policy=bare  #~ FS5046
gcloud container node-pools create d --cluster=c --location=us-central1 --node-locations=us-central1-c --num-nodes=16 \
  --machine-type=tpu7x-standard-4t --tpu-topology=4x4x4 --placement-policy=far  #~ FS5046
gcloud container node-pools create e --cluster=c --location=us-central1 --node-locations=us-central1-c --num-nodes=16 \
  --machine-type=tpu7x-standard-4t --tpu-topology=4x4x4 --placement-policy=group  #~ FS5046
gcloud container node-pools create f --cluster=c --location=us-central1 --node-locations=us-central1-c --num-nodes=16 \
  --machine-type=tpu7x-standard-4t --tpu-topology=4x4x4 --placement-policy=theirs --project=ours
gcloud container node-pools create g --cluster=c --location=us-central1 --node-locations=us-central1-c --num-nodes=16 \
  --machine-type=tpu7x-standard-4t --tpu-topology=4x4x4 --placement-policy=good
gcloud container node-pools create h --cluster=c --location=us-central1 --node-locations=us-central1-c --num-nodes=16 \
  --machine-type=tpu7x-standard-4t --tpu-topology=4x4x4 --placement-policy=ring  # flexslice: allow FS5046 - it is made anew
