resource "google_container_node_pool" "rolled" {
  name           = "rolled"
  cluster        = "tpus"
  location       = "us-east5"
  node_locations = ["us-east5-b"]
  node_count     = 4
  version        = "1.35.2-gke.1962000" #~ FS5265
  management {
    auto_repair  = true
    auto_upgrade = true
  }
  node_config {
    machine_type = "ct6e-standard-4t"
    spot         = true
  }
  placement_policy {
    type         = "COMPACT"
    tpu_topology = "4x4"
  }
}

module "rolled" {
  source            = "github.com/GoogleCloudPlatform/cluster-toolkit//modules/compute/gke-node-pool?ref=v1.95.0"
  cluster_id        = "projects/p/locations/us-east5/clusters/tpus"
  zones             = ["us-east5-b"]
  machine_type      = "ct6e-standard-4t"
  static_node_count = 4
  spot              = true
  gke_version       = "1.35.2-gke.1962000" #~ FS5265
  auto_upgrade      = true
  placement_policy  = { type = "COMPACT", tpu_topology = "4x4" }
}
