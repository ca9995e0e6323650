resource "google_container_node_pool" "slice" {
  name           = "slice"
  cluster        = "ring"
  location       = "us-east5"
  node_locations = ["us-east5-b"]
  node_count     = 4  #~ FS5025
  node_config {
    machine_type = "ct6e-standard-4t"
    flex_start   = true
  }
  placement_policy {
    type         = "COMPACT"
    tpu_topology = "4x4"
  }
}
