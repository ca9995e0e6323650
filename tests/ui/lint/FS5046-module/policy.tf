resource "google_compute_resource_policy" "ring" {
  name   = "ring"
  region = "us-central1"
  workload_policy {
    type                 = "HIGH_THROUGHPUT"
    accelerator_topology = "2x2x2"
  }
}
resource "google_container_cluster" "ring" {
  name               = "ring"
  location           = "us-central1"
  initial_node_count = 1
  min_master_version = "1.33.5-gke.1201000" #~ FS5065
}
