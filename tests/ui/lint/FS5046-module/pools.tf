resource "google_container_node_pool" "slice" {  #~ FS3014
  name           = "slice"
  cluster        = google_container_cluster.ring.name
  location       = "us-central1-c"  #~ FS5047
  node_count     = 16
  node_config {
    machine_type = "tpu7x-standard-4t"
  }
  placement_policy {
    type         = "COMPACT"  #~ FS5028
    policy_name  = google_compute_resource_policy.ring.name  #~ FS5046
    tpu_topology = "4x4x4"
  }
}
