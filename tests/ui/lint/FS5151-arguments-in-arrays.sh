# v6e: arguments that an array has are those of each command that gets all of it.
POOL=(--machine-type=ct6e-standard-4t --tpu-topologi=4x4)  #~ FS5151
POOL+=(--num-nodes=4 "--zone=us-east5-b")
gcloud container node-pools create one --cluster=c "${POOL[@]}"

SHAPE=(--machine-type=ct6e-standard-4t --tpu-topology=4x4)
SHAPE+=(--num-nodes=2)  #~ FS4001
gcloud container node-pools create two --cluster=c --zone=us-east5-b ${SHAPE[@]}

# What a branch adds is not known, and without it the array is what it was.
MORE=(--num-nodes=2)  #~ FS4001
if [ -n "$SPOT" ]; then
  MORE+=(--spot)
fi
gcloud container node-pools create three --cluster=c --zone=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 "${MORE[@]}"
