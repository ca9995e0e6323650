#!/usr/bin/env bash
# What the script sets is in the spec, and the rest is reported where it is written.
NAME=run-$(date +%s)
FLAGS="--mode=NATIVE_EMISSION \
  --steps=30"
ARGS="model=big run_name=$NAME $FLAGS"
ARGS+=" --host=\$HOSTNAME"
xpk workload create --cluster=acme --workload=w --tpu-type=v5p-16 --docker-image=i:1 --command="python train.py ${ARGS}"  #~ FS5118

if [ "$1" = fast ]; then MODE=fast; else MODE=slow; fi
read -r SEED
OPTIONS=(--a --b)
xpk workload create --cluster=acme --workload=w2 --tpu-type=v5p-16 --docker-image=i:1 --env HOME_OF="$HOME" \
  --command "python train.py $MODE $SEED ${OPTIONS[@]} '$UNSET' $(hostname)"
#~@13 FS5118
#~@14 FS5118 FS5118 FS5118 FS5118 FS5118

BODY=$(cat <<EOF
set -e
python train.py $FLAGS "\$HOSTNAME"
EOF
)
submit() {
  xpk workload create --cluster=acme --workload=w3 --tpu-type=v5p-16 --docker-image=i:1 --command "$BODY; $1"  #~ FS5118 FS5118
}
submit "echo done"
