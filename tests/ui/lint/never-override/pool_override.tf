resource "google_container_node_pool" "a" {
  node_config {
    spot = true
  }
}
