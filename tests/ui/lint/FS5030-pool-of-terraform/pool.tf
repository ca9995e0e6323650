resource "google_container_node_pool" "chips" {
  name           = "chips"
  cluster        = "demo"
  location       = "us-east5"
  node_locations = ["us-east5-b"]
  node_count     = 2
  node_config {
    machine_type = "ct6e-standard-4t"
  }
}
