# What only Terraform knows is not judged.
variable "topology" {
  type = string
}

locals {
  machines = { v6e = "ct6e-standard-4t" }
  nodes    = 4
}

resource "google_container_node_pool" "each" {
  for_each   = toset(["a", "b"])
  name       = "pool-${each.key}"
  cluster    = google_container_cluster.main.name
  node_count = local.nodes * 3
  node_config {
    machine_type = local.machines["v6e"]
    spot         = var.is_spot
    labels       = merge(var.labels, { "cloud.google.com/gke-nodepool" = "unused" })
  }
  dynamic "placement_policy" {
    for_each = var.topology == "1x1" ? [] : [1]
    content {
      type         = "COMPACT"
      tpu_topology = var.topology == "4x6" ? "4x8" : var.topology
    }
  }
}

resource "google_container_node_pool" "good" {
  name           = "good"
  cluster        = google_container_cluster.main.name
  node_locations = ["us-east5-b"]
  node_count     = local.nodes
  node_config {
    machine_type = "ct6e-standard-4t"
    spot         = true
  }
  placement_policy {
    type         = "COMPACT"
    tpu_topology = "4x4"
  }
}
