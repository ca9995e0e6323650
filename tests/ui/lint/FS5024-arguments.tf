resource "google_container_cluster" "auto" {
  name               = "auto"
  location           = "us-east5-b" #~ FS4037
  enable_autopilot   = true
  initial_node_count = 1
  addons_config {
    gcs_fuse_csi_driver_config {
      enabled = true
    }
  }
}

resource "google_container_node_pool" "on_autopilot" { #~ FS4006
  name       = "on-autopilot"
  cluster    = google_container_cluster.auto.name
  node_count = 5 #~ FS4001
  node_config {
    machine_type = "ct6e-standard-4t"
  }
  placement_policy {
    type         = "COMPACT"
    tpu_topology = "4x4"
  }
}

resource "google_container_node_pool" "flex" {
  name               = "flex"
  cluster            = "main"
  location           = "us-east5"
  node_locations     = ["us-east5-a", "us-east5-b"] #~ FS4003
  initial_node_count = 4
  node_config {
    machine_type     = "ct6e-standard-4t"
    flex_start       = true
    max_run_duration = "60s" #~ FS4009
    reservation_affinity { #~@37 FS5024
      consume_reservation_type = "ANY_RESERVATION"
    }
  }
  placement_policy {
    type         = "COMPACT"
    tpu_topology = "4x4"
  }
}

resource "google_container_node_pool" "policy" {
  name               = "policy"
  cluster            = "main"
  location           = "us-central1"
  node_locations     = ["us-east5-a"] #~ FS4002
  initial_node_count = 2
  node_count         = 4 #~ FS5024 FS4001
  node_config {
    machine_type     = "tpu7x-standard-4t"
    disk_type        = "pd-ssd" #~ FS2005
    max_run_duration = "86400s" #~ FS4010
    reservation_affinity {
      consume_reservation_type = "NO_RESERVATION"
      key                      = "compute.googleapis.com/reservation-name"
      values                   = ["mine"] #~ FS5024
    }
  }
  placement_policy {
    type         = "COMPACT"
    tpu_topology = "2x2x2" #~ FS5023
  }
}

resource "google_container_node_pool" "scaled" {
  name       = "scaled"
  cluster    = "main"
  node_count = 4 #~ FS5025
  node_config {
    machine_type = "ct6e-standard-4t"
    flex_start   = true
  }
  placement_policy {
    type         = "COMPACT"
    tpu_topology = "4x4"
  }
}

resource "google_container_node_pool" "reserved" {
  name       = "reserved"
  cluster    = "main"
  node_count = 4
  node_config {
    machine_type = "ct6e-standard-4t"
    reservation_affinity {
      consume_reservation_type = "SPECIFIC_RESERVATION" #~ FS5025
    }
  }
  placement_policy {
    type         = "COMPACT"
    tpu_topology = "v6e-16" #~ FS3015
  }
}

resource "google_container_node_pool" "one_chip" {
  name           = "One_Chip" #~ FS2006
  cluster        = "main"
  node_locations = ["us-east5"] #~ FS2006
  node_count     = 1
  node_config {
    machine_type = "ct6e-standard-1t"
    disk_type    = "pd-ssd" #~ FS2005
  }
  placement_policy {
    type         = "COMPACT"
    tpu_topology = "1x1" #~ FS5022
  }
}
