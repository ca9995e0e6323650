
# A refused request is an error, and not an empty list.
export CLOUDSDK_COMPUTE_ALLOW_PARTIAL_ERROR=false
