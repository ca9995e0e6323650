resource "google_container_cluster" "old" {
  name               = "old"
  location           = "us-central1"
  initial_node_count = 1
  min_master_version = "1.33.5-gke.1000"  #~ FS3014 FS5065
}

resource "google_container_node_pool" "iron" {
  cluster        = google_container_cluster.old.name
  location       = "us-central1"
  node_locations = ["us-central1-c"]
  node_count     = 1
  node_config { machine_type = "tpu7x-standard-4t" }
}
