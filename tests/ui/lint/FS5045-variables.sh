#!/bin/bash
# google.com/tpu
CLUSTER=demo
REGION=${REGION:-us-east5}
gcloud container clusters describe "$CLSUTER" --location="$REGION" --project="$PROJECT_OF_TEAM"  #~ FS5045 FS5045
gcloud container clusters delete "$CLUSTER" --location="${ZONE:-$REGION}" --account="$GOOGLE_ACCOUNT"
