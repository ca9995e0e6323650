resource "google_container_node_pool" "pool" {
  name     = "pool"
  cluster  = "research"
  location = "us-east5-b"
  node_config {
    machine_type = "ct6e-standard-4t"
    spot         = true
    preemptible  = true  #~ FS5024
  }
}
