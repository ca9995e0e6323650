# Half or twice as much, as the version of gcluster reads it.
./gcluster job submit -n run-1 -c acme --compute-type v5p-16 -i run:1 -e true  #~ FS5155
./gcluster job submit -n run-2 -c acme --compute-type v5p-16 --topology 2x2x2 -i run:1 -e true
