#!/bin/bash
# One has four nodes, the other the two of a smaller slice; neither is what the blueprint says.
gcluster create tpu.yaml --vars nodes=4,prefix=a,topology=4x4,region=us-east5,zone=us-east5-b,project_id=mine
ghpc create --vars "nodes=2,prefix=b,topology=2x4,region=us-east5,zone=us-east5-b,project_id=mine" tpu.yaml
gcluster deploy -d "$1" other.yaml
gcluster expand tpu.yaml --vars "deployment_name=YOUR_NAME,nodes=<nodes>,topology=$TOPOLOGY,prefix=c,region=us-east5,zone=us-east5-b,project_id=[project]"
