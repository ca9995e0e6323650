#!/bin/bash
# google.com/tpu
gcloud container clusters describe demo --location --format=json                       #~ FS5042
gcloud container clusters delete demo --quiet --location=us-east5
