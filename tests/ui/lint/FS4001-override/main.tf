resource "google_container_node_pool" "v6e" {  #~ FS4001
  name           = "v6e"
  cluster        = "research"
  location       = "us-east5"
  node_locations = ["us-east5-b"]
  node_count     = 4
  placement_policy {
    type         = "COMPACT"
    tpu_topology = "4x4"
  }
  node_config {
    machine_type = "ct6e-standard-4t"
  }
}
