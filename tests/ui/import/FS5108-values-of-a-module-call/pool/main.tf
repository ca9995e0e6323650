variable "zone" { default = "us-east5-a" }
variable "spot" { default = false }
resource "google_container_node_pool" "p" {
  name           = "p"
  cluster        = "my-cluster"
  location       = "us-east5"
  node_locations = [var.zone]
  node_count     = 4
  node_config {
    machine_type = "ct6e-standard-4t"
    spot         = var.spot
  }
  placement_policy {
    type         = "COMPACT"  #~ FS5106
    tpu_topology = "4x4"
  }
}
