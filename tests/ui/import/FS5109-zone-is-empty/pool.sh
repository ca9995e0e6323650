ZONE=
gcloud container node-pools create np --cluster c --region us-east5 --node-locations "$ZONE" --machine-type ct6e-standard-8t --tpu-topology 2x4 --flex-start --enable-autoscaling --num-nodes 0 --max-nodes 1 --max-run-duration 24h --reservation-affinity none --no-enable-autorepair  #~ FS5192
