resource "google_container_node_pool" "slices" {
  name           = "slices"
  cluster        = "tpus"
  location       = "us-central1"
  node_locations = ["us-central1-c"]
  node_count     = 2
  node_config {
    machine_type = "tpu7x-standard-4t"
  }
  placement_policy {
    type         = "COMPACT" #~ FS5028
    policy_name  = "tpus-2x2x2"
    tpu_topology = "2x2x2"
  }
}

resource "google_container_node_pool" "kept" {
  name           = "kept"
  cluster        = "tpus"
  location       = "us-central1"
  node_locations = ["us-central1-c"]
  node_count     = 2
  node_config {
    machine_type = "tpu7x-standard-4t"
  }
  placement_policy {
    type         = ""
    policy_name  = "tpus-2x2x2"
    tpu_topology = "2x2x2"
  }
}
