resource "google_container_node_pool" "flex" {
  cluster        = "ring"
  location       = "us-east5"
  node_locations = ["us-east5-b"]
  node_count     = 1  #~ FS5025
  autoscaling { max_node_count = 1 }
  node_config {
    machine_type = "ct6e-standard-4t"
    flex_start   = true
  }
}
