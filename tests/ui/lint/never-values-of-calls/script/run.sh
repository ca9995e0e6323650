export N=4
make pool
