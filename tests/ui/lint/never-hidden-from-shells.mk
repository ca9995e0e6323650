# Shells of make get no variable that is not exported any longer: each pool has the number of the environment, whatever it is.
export N = 3
undefine N
N ?= 2
export M
M = 3
unexport M
override K = 4
undefine K
K ?= 1

pool:
	gcloud container node-pools create a --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=$$N
	gcloud container node-pools create b --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=$$M
	gcloud container node-pools create d --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=$(K)
