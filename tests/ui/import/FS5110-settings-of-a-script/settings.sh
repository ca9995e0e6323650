TOPOLOGY=4x4
export IMAGE=mine:v7
