variable "project" {}
variable "names" { default = ["a"] }

locals {
  regions = ["us-east5"]
}

resource "google_project_service" "container" {
  service = "container.googleapis.com"
}

resource "google_container_cluster" "main" {
  for_each = toset([for name in var.names : "${name}-${local.regions[0]}"])
  name     = each.value
}
