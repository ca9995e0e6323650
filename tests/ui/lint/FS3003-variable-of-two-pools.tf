variable "machine" { default = "ct6e-standard-4" }
resource "google_container_node_pool" "a" {
  name           = "a"
  cluster        = "ring"
  location       = "us-east5"
  node_locations = ["us-east5-b"]
  node_count     = 1
  node_config {
    machine_type = var.machine  #~ FS3003
  }
}
resource "google_container_node_pool" "b" {
  name           = "b"
  cluster        = "ring"
  location       = "us-east5"
  node_locations = ["us-east5-b"]
  node_count     = 1
  node_config {
    machine_type = var.machine
  }
}
