gcluster job submit --name=run-1 --cluster=acme --compute-type=v6e-16 --topology=4x8 --image=run:1 --command=true  #~ FS5156
gcluster job submit --name=run-2 --cluster=acme --compute-type=tpu7x-32 --topology=4x4x8 --image=run:1 --command=true  #~ FS5156
gcluster job submit --name=run-3 --cluster=acme --compute-type=v6e --topology=4x6 --image=run:1 --command=true  #~ FS3002
