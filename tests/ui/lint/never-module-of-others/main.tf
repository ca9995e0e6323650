module "pool" {
  source = "./modules/pool"
  nodes  = 4
}
resource "google_container_node_pool" "none" {
  count          = 0
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
resource "google_container_node_pool" "empty" {
  for_each       = toset([])
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
