gcluster job submit --cluster=acme --location=us-central1 --name=train --compute-type=tpu7x-128 --image=us-docker.pkg.dev/a/b/c:1 --command='python3 train.py'  #~ FS5158
gcluster job submit --cluster=acme --location=us-central1 --name=other --compute-type=tpu7x --topology=4x4x4 --image=us-docker.pkg.dev/a/b/c:1 --command='python3 train.py'
