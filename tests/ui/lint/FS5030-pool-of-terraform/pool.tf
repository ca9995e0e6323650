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

resource "google_container_node_pool" "plain" {
  name       = "plain"
  cluster    = "demo"
  location   = "us-east5"
  node_count = 2
}

resource "google_container_node_pool" "computed" {
  name       = "computed"
  cluster    = "demo"
  location   = "us-east5"
  node_count = 2
  dynamic "node_config" {
    for_each = ["ct6e-standard-8t"]
    content {
      machine_type = node_config.value
    }
  }
}
