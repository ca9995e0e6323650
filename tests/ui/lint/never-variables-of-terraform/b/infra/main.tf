variable "n" {
  type = number
  default = 2
}
resource "google_container_node_pool" "p" {
  name           = "p"
  cluster        = "c"
  location       = "us-east5"
  node_locations = ["us-east5-b"]
  node_count     = var.n
  node_config {
    machine_type = "ct6e-standard-4t"
  }
  placement_policy {
    type         = "COMPACT"
    tpu_topology = "4x4"
  }
}
