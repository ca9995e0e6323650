# Several commands, of which the last counts, and a command with a here-document in it.
xpk workload create --cluster=acme --workload=run-1 --tpu-type=v5litepod-16 --docker-image=us-docker.pkg.dev/acme/train/run:1 --command="python3 a.py" --command='bash -c "cd /app && python3 b.py --name=\"x y\""'
xpk workload create --cluster=acme --workload=run-2 --tpu-type=v5litepod-16 --docker-image=us-docker.pkg.dev/acme/train/run:1 --command="cat > config.yml <<END
steps: 10
END
python3 train.py config.yml"
#~@2 FS5150 FS5160
