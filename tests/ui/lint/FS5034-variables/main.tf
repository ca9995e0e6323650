# The variables are in the other files of the folder, which Terraform reads with this one.
resource "google_container_node_pool" "open" { #~ FS5034
  name           = "open"
  cluster        = google_container_cluster.main.name
  node_locations = var.zones
  node_count     = local.hosts * 2
  node_config {
    machine_type = local.machine
    spot         = var.is_spot
  }
  placement_policy {
    type         = "COMPACT"
    tpu_topology = var.topology
  }
}

resource "google_container_node_pool" "wide" {
  name           = "wide"
  cluster        = google_container_cluster.main.name
  node_locations = ["us-east5-b"]
  node_count     = 4
  node_config {
    machine_type = local.machine
  }
  placement_policy {
    type         = "COMPACT"
    tpu_topology = var.wide #~ FS3002
  }
}

resource "google_container_node_pool" "blocks" { #~ FS5034
  name       = "blocks"
  cluster    = "main"
  node_count = 1
  node_config {
    machine_type = "ct6e-standard-4t"
    labels       = merge(var.labels, { team = "research" })
  }
  dynamic "placement_policy" {
    for_each = var.policies
    content {
      type = "COMPACT"
    }
  }
}
