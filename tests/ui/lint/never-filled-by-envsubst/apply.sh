export MODEL_ID=small-1 BUCKET=weights
for file in *.yaml; do
  envsubst < "$file" | kubectl apply -f -
done
