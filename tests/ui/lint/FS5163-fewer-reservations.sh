xpk cluster create --cluster=tpus --project=p --zone=us-central1-c \
  --tpu-type=tpu7x-4x4x4 --num-slices=3 --reservation=first,second  #~ FS5163
xpk cluster create --cluster=others --project=p --zone=us-central1-c \
  --tpu-type=tpu7x-4x4x4 --num-slices=3 --reservation=first
