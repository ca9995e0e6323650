resource "google_container_node_pool" "p" {
  name     = "p"
  cluster  = "ml"
  location = "us-east5"  #~ FS5025
  autoscaling {
    min_node_count = 0
    max_node_count = 4
  }
  management {
    auto_repair = false
  }
  placement_policy {
    type         = "COMPACT"
    tpu_topology = "4x4"
  }
  node_config {
    machine_type     = "ct6e-standard-4t"
    flex_start       = true
    max_run_duration = "86400s"
    reservation_affinity {
      consume_reservation_type = "NO_RESERVATION"
    }
  }
}
