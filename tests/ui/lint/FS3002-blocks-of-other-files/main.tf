# Lists and blocks that another file of the module says.
module "pools" {
  source     = "terraform-google-modules/kubernetes-engine/google"
  name       = "c1"
  region     = "us-east5"
  zones      = ["us-east5-b"]
  node_pools = var.node_pools #~ FS3002
}

module "local" {
  source     = "terraform-google-modules/kubernetes-engine/google"
  name       = "c2"
  region     = "us-east5"
  zones      = ["us-east5-b"]
  node_pools = local.pools #~ FS3002
}

module "pool" {
  source           = "github.com/GoogleCloudPlatform/cluster-toolkit//modules/compute/gke-node-pool"
  name             = "p"
  zones            = ["us-east5-b"]
  machine_type     = "ct6e-standard-4t"
  placement_policy = var.placement #~ FS3002
}

module "own" {
  source     = "terraform-google-modules/kubernetes-engine/google"
  name       = "c3"
  region     = "us-east5"
  zones      = ["us-east5-b"]
  node_pools = local.own
}

locals {
  own = [{ name = "own", machine_type = "ct6e-standard-4t", tpu_topology = "4x6" }] #~ FS3002
}
