resource "google_container_node_pool" "a" { #~ FS2002
  node_count = 1
  node_config {
    machine_type = "ct6e-standard-4t"
  }
}
