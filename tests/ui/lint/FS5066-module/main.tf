resource "google_container_node_pool" "tpu" { #~ FS5034
  name           = "tpu"
  project        = var.porject #~ FS5066
  cluster        = google_container_cluster.man.name #~ FS5066
  location       = data.google_container_cluster.old.location
  node_locations = ["${local.region}-b"] #~ FS5066
  node_count     = module.shape.count
  node_config {
    machine_type = "ct6e-standard-4t"
    labels = {
      is-text = "var.porject, $${var.porject} and ${replace("var.porject", "a", "b")}"
    }
  }
  depends_on = [google_project_service.containers] #~ FS5066
}

moved {
  from = google_container_cluster.older
  to   = google_container_cluster.main
}
