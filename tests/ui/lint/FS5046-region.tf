resource "google_compute_resource_policy" "cube" {
  name   = "cube"
  region = "us-east5"  #~ FS5046
  workload_policy {
    type                 = "HIGH_THROUGHPUT"
    accelerator_topology = "4x4x4"
  }
}

resource "google_container_node_pool" "train" {
  name           = "train"
  cluster        = "ring"
  node_locations = ["us-central1-c"]
  node_count     = 16
  node_config {
    machine_type = "tpu7x-standard-4t"
  }
  placement_policy {
    type        = ""
    policy_name = google_compute_resource_policy.cube.name
  }
}
