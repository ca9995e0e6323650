# A version that somebody else changes, that nobody upgrades, or that follows the cluster's.
resource "google_container_node_pool" "ignored" {
  name           = "ignored"
  cluster        = "tpus"
  location       = "us-east5"
  node_locations = ["us-east5-b"]
  node_count     = 4
  version        = "1.35.2-gke.1962000"
  management {
    auto_upgrade = true
  }
  lifecycle {
    ignore_changes = [version]
  }
  node_config {
    machine_type = "ct6e-standard-4t"
    spot         = true
  }
  placement_policy {
    type         = "COMPACT"
    tpu_topology = "4x4"
  }
}

resource "google_container_node_pool" "followed" {
  name           = "followed"
  cluster        = google_container_cluster.tpus.name
  location       = "us-east5"
  node_locations = ["us-east5-b"]
  node_count     = 4
  version        = google_container_cluster.tpus.master_version
  management {
    auto_upgrade = true
  }
  node_config {
    machine_type = "ct6e-standard-4t"
    spot         = true
    linux_node_config {
      cgroup_mode = "CGROUP_MODE_V2"
    }
  }
  placement_policy {
    type         = "COMPACT"
    tpu_topology = "4x4"
  }
}

resource "google_container_node_pool" "kept" {
  name           = "kept"
  cluster        = "tpus"
  location       = "us-east5"
  node_locations = ["us-east5-b"]
  node_count     = 4
  version        = "1.34.6-gke.1068000"
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
  dynamic "placement_policy" {
    for_each = [1]
    content {
      type         = "COMPACT"
      tpu_topology = "4x4"
    }
  }
}

# A module of somebody else's in a folder of that name.
module "own" {
  source            = "./modules/compute/gke-node-pool"
  cluster_id        = "projects/p/locations/us-east5/clusters/tpus"
  zone              = "us-east5-b"
  zones             = ["us-east5-b"]
  machine_type      = "ct6e-standard-4t"
  static_node_count = 4
  spot              = true
  placement_policy  = { type = "COMPACT", tpu_topology = "4x4" }
}
