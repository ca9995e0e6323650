resource "google_container_cluster" "ring" {
  name     = "ring"
  location = "us-east5"
}

resource "google_container_node_pool" "chips" {
  cluster    = google_container_cluster.ring.name
  location   = "us-east5-b"  #~ FS5047
  node_count = 1
  node_config { machine_type = "ct6e-standard-4t" }
}
