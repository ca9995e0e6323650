resource "google_container_node_pool" "chips" {
  cluster    = "ring"
  location   = "us-east5-b"
  node_count = 1
  node_config {
    machine_type = "ct6e-standard-4t"
    guest_accelerator {
      type  = "tpu-v6e-slice"  #~ FS5049
      count = 4
    }
  }
}
