# The type is required, and each apply replaces the pool where it stays beside the name of a policy.
resource "google_container_node_pool" "p" {
  name           = "p"
  cluster        = "c"
  location       = "us-central1"
  node_locations = ["us-central1-c"]
  node_count     = 2
  node_config {
    machine_type = "tpu7x-standard-4t"
    spot         = true
  }
  placement_policy {
    type         = "COMPACT"
    tpu_topology = "2x2x2" #~ FS5023
  }
}
