# gcloud takes whole bytes, of boot disks whole GB, and fractions of units in capitals alone.
gcloud container node-pools create p0 --cluster=c --location=us-east5 --machine-type=ct6e-standard-4t --node-locations=us-east5-b --tpu-topology=4x4 --num-nodes=4 --disk-size=0.2TB  #~ FS2006
gcloud container node-pools create p1 --cluster=c --location=us-east5 --machine-type=ct6e-standard-4t --node-locations=us-east5-b --tpu-topology=4x4 --num-nodes=4 --disk-size=0.25TB
gcloud container node-pools create p2 --cluster=c --location=us-east5 --machine-type=ct6e-standard-4t --node-locations=us-east5-b --tpu-topology=4x4 --num-nodes=4 --disk-size=1.5T  #~ FS2006
gcloud container node-pools create p3 --cluster=c --location=us-east5 --machine-type=ct6e-standard-4t --node-locations=us-east5-b --tpu-topology=4x4 --num-nodes=4 --disk-size=20.5GB  #~ FS2006
gcloud container node-pools create p4 --cluster=c --location=us-east5 --machine-type=ct6e-standard-4t --node-locations=us-east5-b --tpu-topology=4x4 --num-nodes=4 --disk-size=100000MB  #~ FS2006
gcloud container node-pools create p5 --cluster=c --location=us-east5 --machine-type=ct6e-standard-4t --node-locations=us-east5-b --tpu-topology=4x4 --num-nodes=4 --disk-size=102400MB
gcloud container node-pools create p6 --cluster=c --location=us-east5 --machine-type=ct6e-standard-4t --node-locations=us-east5-b --tpu-topology=4x4 --num-nodes=4 --disk-size=5GB  #~ FS2006
gcloud container node-pools create p7 --cluster=c --location=us-east5 --machine-type=ct6e-standard-4t --node-locations=us-east5-b --tpu-topology=4x4 --num-nodes=4 --disk-size=200gib
gcloud container node-pools create p8 --cluster=c --location=us-east5 --machine-type=ct6e-standard-4t --node-locations=us-east5-b --tpu-topology=4x4 --num-nodes=4 --disk-size=200
