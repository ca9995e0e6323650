#!/bin/bash
make pool \
  NODES=4
just hosts=4 pool
SIZE=4 task pool COUNT=4
gcloud builds submit --substitutions=_ZONE=us-east5-b,_WORKERS=4 .
ansible-playbook play.yml -e members=4 --extra-vars '{"machines": 4}'
