#!/bin/bash
./gcluster job submit -n train -c acme -l us-central1 -p research \
  -i us-docker.pkg.dev/acme/train/maxtext:1 --compute-type tpu7x-128 --topology 4x4x4 \
  --queue multislice-queue --restarts=0 --gke-ttl-after-finished=2h --grace-period=90s --env A=b \
  --mount "gs://data/maxtext;/data;rw" --service-account trainer --gke-namespace team-a \
  --restart-on-exit-codes 137 --verbose -e "python3 train.py"
#~@5 FS5160
