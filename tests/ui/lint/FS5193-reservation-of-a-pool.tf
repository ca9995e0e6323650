resource "google_container_node_pool" "v5p" {
  name           = "v5p"
  cluster        = "tpu-west"
  location       = "us-east5"
  node_locations = ["us-east5-a"]
  node_count     = 4
  node_config {
    machine_type = "ct5p-hightpu-4t"
  }
  placement_policy {
    type         = "COMPACT"
    tpu_topology = "2x2x4"
  }
  reservation_affinity {  #~ FS5193
    consume_reservation_type = "SPECIFIC_RESERVATION"
    key                      = "compute.googleapis.com/reservation-name"
    values                   = ["res-1"]
  }
}
