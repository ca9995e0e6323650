resource "google_container_node_pool" "p" {
  name           = "p"
  cluster        = "ml"
  location       = "us-east5"
  node_locations = ["us-east5-b"]
  node_count     = 2
  node_config {
    machine_type = "ct6e-standard-8t"
    reservation_affinity {
      consume_reservation_type = "SPECIFIC_RESERVATION"  #~ FS5199
      kye                      = "compute.googleapis.com/reservation-name"
      values                   = ["mine"]
    }
  }
}
