# Numbers that Terraform calculates, right and wrong.
variable "shapes" {
  default = {
    small = { topology = "2x4", hosts = 2 }
    large = { topology = "4x4", hosts = 2 }
  }
}
variable "spot" {
  default = true
}
locals {
  chips = 16
  hosts = { for shape, chips in { "4x4" = local.chips } : shape => chips / 4 }
}
resource "google_container_node_pool" "each" {
  for_each       = var.shapes
  name           = each.key
  cluster        = "c"
  location       = "us-east5"
  node_locations = ["us-east5-b"]
  node_count     = each.value.hosts #~ FS4001
  node_config {
    machine_type = "ct6e-standard-4t"
  }
  placement_policy {
    type         = "COMPACT"
    tpu_topology = each.value.topology
  }
}
resource "google_container_node_pool" "wrong" {
  name           = "wrong"
  cluster        = "c"
  location       = "us-east5"
  node_locations = ["us-east5-b"]
  node_count     = var.spot ? local.chips / 8 : lookup(local.hosts, "4x4") #~ FS4001
  node_config {
    machine_type = "ct6e-standard-4t"
  }
  placement_policy {
    type         = "COMPACT"
    tpu_topology = format("%dx%d", 4, 4)
  }
}
resource "google_container_node_pool" "right" {
  name           = "right"
  cluster        = "c"
  location       = "us-east5"
  node_locations = ["us-east5-b"]
  node_count     = local.hosts["4x4"]
  node_config {
    machine_type = "ct6e-standard-4t"
  }
  placement_policy {
    type         = "COMPACT"
    tpu_topology = "4x4"
  }
}
resource "google_container_node_pool" "off" {
  count          = length([])
  name           = "off"
  cluster        = "c"
  location       = "us-east5"
  node_locations = ["us-east5-b"]
  node_count     = 2
  node_config {
    machine_type = "ct6e-standard-4t"
  }
  placement_policy {
    type         = "COMPACT"
    tpu_topology = "4x4"
  }
}
