# The image is built, and variables are open.
xpk workload create --cluster "${CLUSTER?}" --zone=us-east5-a --workload "${USER}-run-${RANDOM}" --device-type="${TYPE:-v5p-128}" \
  --base-docker-image maxtext_base_image --script-dir=. --num-slices="${SLICES}" \
  --command "echo $(hostname) && python3 train.py run_name=${USER}"
#~@3 FS5160
#~@3 FS5160
#~@4 FS5118 FS5118
#~@2 FS5109 FS5109
