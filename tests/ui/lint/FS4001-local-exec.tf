resource "null_resource" "p" {
  provisioner "local-exec" {
    command = "gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2"  #~ FS4001
  }
  provisioner "local-exec" {
    command = <<-EOT
      gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t --tpu-topology=4x4 --num-nodes=2  #~ FS4001
    EOT
  }
}
