resource "google_container_node_pool" "nowhere" { #~ FS5199
  name           = "nowhere"
  location       = "us-east5"
  node_locations = ["us-east5-b"]
  node_count     = 4
  node_config {
    machine_type = "ct6e-standard-4t"
    spot         = true
  }
  placement_policy {
    type         = "COMPACT"
    tpu_topology = "4x4"
  }
}

resource "google_container_node_pool" "parts" {
  name           = "parts"
  cluster        = "tpus"
  location       = "us-east5"
  node_locations = ["us-east5-b"]
  node_count     = 4
  node_config {
    machine_type = "ct6e-standard-4t"
    spot         = true
  }
  placement_policy { #~ FS5199
    tpu_topology = "4x4"
  }
  queued_provisioning {} #~ FS5199
}

resource "google_container_node_pool" "cgroups" {
  name           = "cgroups"
  cluster        = "tpus"
  location       = "us-east5"
  node_locations = ["us-east5-b"]
  node_count     = 4
  version        = "1.35.2-gke.1962000" #~ FS5199
  management {
    auto_upgrade = false
  }
  node_config {
    machine_type = "ct6e-standard-4t"
    spot         = true
    linux_node_config {
      cgroup_mode = "CGROUP_MODE_V1"
    }
  }
  placement_policy {
    type         = "COMPACT"
    tpu_topology = "4x4"
  }
}

resource "google_compute_resource_policy" "none" { #~ FS5199
  name   = "none"
  region = "us-central1"
}

resource "google_compute_resource_policy" "without-type" {
  name   = "without-type"
  region = "us-central1"
  workload_policy { #~ FS5199
    accelerator_topology = "4x4x4"
  }
}

resource "google_compute_resource_policy" "computed" {
  name   = "computed"
  region = "us-central1"
  dynamic "workload_policy" {
    for_each = ["HIGH_THROUGHPUT"]
    content {
      type = workload_policy.value
    }
  }
}
