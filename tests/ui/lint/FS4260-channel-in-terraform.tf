resource "google_container_cluster" "lab" {
  name               = "lab"
  location           = "us-central1"
  initial_node_count = 1
  release_channel {
    channel = "STABLE" #~ FS4260
  }
}

resource "google_compute_resource_policy" "cubes" {
  name   = "cubes"
  region = "us-central1"
  workload_policy {
    type                      = "HIGH_THROUGHPUT"
    accelerator_topology      = "4x4x4"
    accelerator_topology_mode = "PROVISION_ONLY"
  }
}

resource "google_container_node_pool" "cube" {
  name           = "cube"
  cluster        = "lab"
  location       = "us-central1"
  node_locations = ["us-central1-c"]
  node_count     = 16
  placement_policy {
    type        = ""
    policy_name = "cubes"
  }
  node_config {
    machine_type = "tpu7x-standard-4t"
    image_type   = "COS_CONTAINERD"
  }
}
