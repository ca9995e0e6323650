resource "google_container_node_pool" "flex" {
  name               = "v6e-4x4-flex"  #~ FS4552
  cluster            = "ml"
  location           = "us-east5"
  node_locations     = ["us-east5-b"]
  initial_node_count = 0
  autoscaling {
    total_min_node_count = 0
    total_max_node_count = 4
    location_policy      = "ANY"
  }
  management {
    auto_repair = false
  }
  placement_policy {
    type = "COMPACT"
  }
  node_config {
    machine_type = "ct6e-standard-4t"
    flex_start   = true
    reservation_affinity {
      consume_reservation_type = "NO_RESERVATION"
    }
  }
}
