module "slice" {
  source            = "github.com/GoogleCloudPlatform/cluster-toolkit//modules/compute/gke-node-pool?ref=v1.95.0"
  cluster_id        = "projects/p/locations/us-east5/clusters/c"
  project_id        = "p"
  machine_type      = "ct6e-standard-4t"
  zones             = ["us-east5-b"]
  static_node_count = 3  #~ FS4001
  placement_policy  = { type = "COMPACT", tpu_topology = "4x4" }
}

module "ring" {
  source            = "./modules/embedded/modules/compute/gke-node-pool"
  cluster_id        = module.cluster.cluster_id
  machine_type      = "tpu7x-standard-4t"
  zones             = ["us-central1-c"]
  static_node_count = 16
  disk_type         = "pd-ssd"  #~ FS2005
  placement_policy = {
    type         = "COMPACT"  #~ FS5028
    name         = "ring"
    tpu_topology = "4x4x4"
  }
}

resource "google_compute_resource_policy" "ring" {
  name   = "ring"
  region = "us-central1"
  workload_policy {
    type                 = "HIGH_THROUGHPUT"
    accelerator_topology = "2x2x2"  #~ FS5046
  }
}
