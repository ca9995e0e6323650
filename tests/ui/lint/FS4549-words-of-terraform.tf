variable "zone" {
  type = strng #~ FS4549
}

resource "google_container_node_pol" "a" { #~ FS4549
  cluster = "c"
}

resource "google_container_node_pool" "b" {
  cluster            = "c"
  locaton            = "us-east5" #~ FS4549
  initial_node_count = 1
  autoscaling {
    max_node_count  = 1
    location_policy = "ANNY" #~ FS4549
  }
  node_config {
    machine_type = "ct6e-standard-4t"
    spto         = true #~ FS4549
  }
  lifecycle {
    ignore_changes = [node_config[0].gvnci] #~ FS4549
  }
}

# Right: the user's own keys, a resource of another provider, and words that this table lacks.
variable "labels" {
  type    = map(string)
  default = { spott = "x" }
}

resource "google_container_node_pool" "c" {
  cluster    = google_container_cluster.main.id
  node_count = 1
  node_config {
    machine_type    = "ct6e-standard-4t"
    labels          = { locaton = "here" }
    a_new_argument  = true
    resource_labels = { clustr = "c" }
  }
  lifecycle {
    ignore_changes = [node_config[0].labels, initial_node_count]
  }
}

resource "aws_instance" "d" {
  locaton = "there"
}

terraform {
  required_providers {
    goolge = { #~ FS4549
      source = "hashicorp/google"
    }
    google-beta = {
      source = "hashicopr/google-beta" #~ FS4549
    }
    mine = {
      source = "acme/mine"
    }
  }
}
