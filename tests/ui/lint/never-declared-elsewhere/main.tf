data "google_container_cluster" "main" {
  name     = var.cluster
  location = local.region
}

resource "google_container_node_pool" "tpu" {
  name           = "tpu"
  cluster        = data.google_container_cluster.main.id
  node_locations = ["${local.region}-b"]
  node_count     = module.shape.nodes
  node_config {
    machine_type = "ct6e-standard-4t"
    labels = {
      tpu = google_compute_network.tpu["a"].name
    }
  }
}
