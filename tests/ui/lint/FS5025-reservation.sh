sudo gcloud beta container node-pools create pool --cluster c1 --location us-east5 --reservation r1 --machine-type ct6e-standard-4t #~ FS5025
