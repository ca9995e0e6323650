xpk workload create --workload=run --cluster=your-cluster --zone=your-zone --project=your-project --tpu-type=v6e-16 --docker-image=your-registry/your-image --command="python3 train.py"
