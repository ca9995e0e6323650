xpk workload create-pathways --workload=w --cluster=c --zone=us-east5-b --tpu-type=v6e-16 --num-slices=1 \
  --docker-image=registry.example/image:1 --pathways-gcs-location=${OUTPUT_DIR} --command="python3 train.py"
