variable "nodes" {
  default = 1
}
variable "enabled" {
  default = false
}
resource "google_container_node_pool" "tpus" {
  cluster        = "c"
  location       = "us-east5"
  node_locations = ["us-east5-b"]
  node_count     = var.nodes
  node_config {
    machine_type = "ct6e-standard-4t"
  }
  placement_policy {
    type         = "COMPACT"
    tpu_topology = "4x4"
  }
}
resource "google_container_node_pool" "more" {
  count          = var.enabled ? 1 : 0
  cluster        = "c"
  location       = "us-east5"
  node_locations = ["us-east5-b"]
  node_count     = 1
  node_config {
    machine_type = "ct6e-standard-4t"
  }
  placement_policy {
    type         = "COMPACT"
    tpu_topology = "4x4"
  }
}
