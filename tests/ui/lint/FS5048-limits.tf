resource "google_container_cluster" "auto" {
  name     = "auto"
  location = "us-east5"
  cluster_autoscaling {
    enabled = true
    resource_limits {
      resource_type = "cpu"
      maximum       = 1000
    }
    resource_limits {
      resource_type = "tpu7x-standard-4t"  #~ FS5048
      maximum       = 16
    }
    resource_limits {
      resource_type = "tpu-v6e-slice"
      maximum       = 16
    }
  }
}
