gcloud container clusters create lab --location=us-central1 --release-channel=regular --cluster-version=1.35.1-gke.100 #~ FS4260 FS3014
gcloud container clusters create other --location=us-central1 #~ FS4260
gcloud compute resource-policies create workload-policy cubes --type=HIGH_THROUGHPUT --accelerator-topology=4x4x4 --accelerator-topology-mode=provision_only --region=us-central1
gcloud container node-pools create cube-0 --cluster=lab --location=us-central1 --node-locations=us-central1-c --machine-type=tpu7x-standard-4t --num-nodes=16 --placement-policy=cubes --image-type=UBUNTU_CONTAINERD --reservation-affinity=specific --reservation=projects/p/reservations/r/reservationBlocks/b #~ FS4260
gcloud container node-pools create cube-1 --cluster=other --location=us-central1 --node-locations=us-central1-c --machine-type=tpu7x-standard-4t --num-nodes=16 --placement-policy=cubes --reservation-affinity=specific --reservation=projects/p/reservations/r/reservationBlocks/b
