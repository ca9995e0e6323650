#!/bin/bash
# google.com/tpu
gcloud container clusters list --zone=us-east5-b --region=us-east5                     #~ FS5024
gcloud container clusters update demo --enable-autoscaling --release-channel=rapid     #~ FS5024
