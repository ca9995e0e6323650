#!/bin/bash
gcloud container node-pools create spot --cluster=c --location=us-east5 --machine-type=ct6e-standard-4t --tpu-topology=4x4 --node-locations=us-east5-b --num-nodes=4 --flags-file=spot.yaml  #~ FS5195
gcloud container node-pools create repair --cluster=c --location=us-east5 --machine-type=ct6e-standard-4t --tpu-topology=4x4 --node-locations=us-east5-b --flags-file repair.yaml  #~ FS4001 FS5195
gcloud container node-pools create counts --cluster=c --location=us-east5 --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=3 --node-locations=us-east5-b --flags-file="$(dirname "$0")/four.yaml"  #~ FS5150
gcloud container node-pools create elsewhere --cluster=c --location=us-east5 --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=3 --node-locations=us-east5-b --flags-file=/etc/flags.yaml
cat >made.yaml <<END
--num-nodes: 4
END
gcloud container node-pools create made --cluster=c --location=us-east5 --machine-type=ct6e-standard-4t --tpu-topology=4x4 --node-locations=us-east5-b --flags-file=made.yaml
