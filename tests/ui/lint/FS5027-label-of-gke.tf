variable "topology" {
  default = "4x6"
}

resource "google_container_node_pool" "labels" {
  name               = "tpus"
  cluster            = google_container_cluster.main.id
  initial_node_count = var.nodes #~@5 FS5034
  node_config {
    machine_type = "ct6e-standard-4t"
    spot         = true
    labels = {
      team                            = "research"
      "cloud.google.com/gke-nodepool" = "tpus" #~ FS5027
    }
  }
  placement_policy {
    type         = "COMPACT"
    tpu_topology = "4x4"
  }
}

resource "google_container_node_pool" "topology" {
  name       = "wide"
  cluster    = "main"
  node_count = 4
  node_config {
    machine_type = "ct6e-standard-4t"
  }
  placement_policy {
    type         = "COMPACT"
    tpu_topology = var.topology #~ FS3002
  }
}
