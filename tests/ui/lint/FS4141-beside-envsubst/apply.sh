export MODEL_ID=small-1
envsubst < other.yaml | kubectl apply -f -
