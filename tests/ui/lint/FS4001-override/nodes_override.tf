resource "google_container_node_pool" "v6e" {
  node_count = 2
}
