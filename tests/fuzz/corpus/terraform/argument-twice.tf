# Terraform refuses an argument that is there twice; lint goes on.
resource "google_container_node_pool" "pool" {
  name           = "pool"
  cluster        = "c"
  location       = "us-east5"
  node_locations = ["us-east5-b"]
  node_count     = 2 #~ FS4001
  node_config {
    machine_type = "ct6e-standard-4t"
    spot         = true
    spot         = true
  }
  placement_policy {
    type         = "COMPACT"
    tpu_topology = "4x4"
  }
}
