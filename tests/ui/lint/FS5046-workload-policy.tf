resource "google_compute_resource_policy" "shape" {
  name   = "shape"
  region = "us-central1"
  workload_policy {
    type                 = "HIGH_THROUGHPUT"
    accelerator_topology = "4x4x4"  #~ FS5046
  }
}

resource "google_container_node_pool" "iron" {
  cluster        = "ring"
  location       = "us-central1"
  node_locations = ["us-central1-c"]
  node_count     = 32
  node_config { machine_type = "tpu7x-standard-4t" }
  placement_policy {
    type         = ""
    policy_name  = google_compute_resource_policy.shape.name
    tpu_topology = "4x4x8"
  }
}
