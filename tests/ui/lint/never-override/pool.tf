resource "google_container_node_pool" "a" {
  cluster    = "c"
  location   = "us-east5-b"
  node_count = 1
  node_config {
    machine_type = "ct6e-standard-4t"
  }
}
