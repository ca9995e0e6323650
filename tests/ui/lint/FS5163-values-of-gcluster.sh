# gcluster's own readings: the digits of what is no duration, names of variables as shells have them, one place for each volume.
gcluster job submit --name=a --cluster=acme --compute-type=v6e-16 --image=run:1 --command=true --gke-ttl-after-finished=1d  #~ FS5163
gcluster job submit --name=b --cluster=acme --compute-type=v6e-16 --image=run:1 --command=true --grace-period=soon  #~ FS5163
gcluster job submit --name=c --cluster=acme --compute-type=v6e-16 --image=run:1 --command=true --env=1A=b  #~ FS5163
gcluster job submit --name=d --cluster=acme --compute-type=v6e-16 --image=run:1 --command=true --node-constraint=team  #~ FS5163
gcluster job submit --name=e --cluster=acme --compute-type=v6e-16 --image=run:1 --command=true --mount=gs://my-bucket  #~ FS5163
gcluster job submit --name=g --cluster=acme --compute-type=v6e-16 --image=run:1 --command=true --mount=one:/data --mount=two:/data  #~ FS5163
gcluster job submit --name=h --cluster=acme --compute-type=v6e-16 --image=run:1 --command=true --restart-on-exit-codes=3-5  #~ FS5163
gcluster job submit --name=i --cluster=acme --compute-type=v6e-16 --image=run:1 --command=true --gke-nap-provisioning=reservation  #~ FS5158
gcluster job submit --name=j --cluster=acme --compute-type=v6e-16 --image=run:1 --command=true --gke-nap-provisioning=spot --gke-nap-reservation=r  #~ FS5158
gcluster job submit --name=k --cluster=acme --compute-type=v6e-16 --image=run:1 --command=true --num-nodes=4  #~ FS5157
gcluster job submit --name=l --cluster=acme --compute-type=v6e-16 --image=run:1 --command=true --build-context=.  #~ FS5158
gcluster job submit --name=m --cluster=acme --compute-type=v5e --topology=4x4 --image=run:1 --command=true  #~ FS5154
gcluster job submit --name=n --cluster=acme --compute-type=v4-16 --image=run:1 --command=true  #~ FS5155
gcluster job submit --name=o --cluster=acme --compute-type=v5p-4 --image=run:1 --command=true  #~ FS5155
