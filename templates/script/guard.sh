
# A denied request is an error, not an empty list.
export CLOUDSDK_COMPUTE_ALLOW_PARTIAL_ERROR=false
