module "gke" {
  source     = "terraform-google-modules/kubernetes-engine/google"
  version    = "~> 36.0"
  project_id = "my-project"
  name       = "ring"
  region     = "us-west4"
  zones      = ["us-west4-a"]
  node_pools = [
    {
      name             = "slice"
      machine_type     = "ct5lp-hightpu-4t"
      min_count        = 0
      max_count        = 2  #~ FS4001
      placement_policy = "COMPACT"
      tpu_topology     = "4x4"
    },
    {
      name         = "fixed"
      machine_type = "ct5lp-hightpu-4t"
      autoscaling  = false
      node_count   = 3  #~ FS4001
      max_count    = 7
      tpu_topology = "4x4"
    },
    {
      name         = "right"
      machine_type = "ct5lp-hightpu-4t"
      max_count    = 4
      node_count   = 1
      tpu_topology = "4x4"
    },
    { name = "cpus", machine_type = "e2-standard-4" },
  ]
}

module "pool" {
  source       = "git::https://github.com/GoogleCloudPlatform/cloud-foundation-fabric//modules/gke-nodepool"
  project_id   = "my-project"
  cluster_name = module.gke.name
  location     = "us-west4"
  name         = "wrong"
  node_config  = { machine_type = "ct5lp-hightpu-5t" }  #~ FS3003
}

module "slice" {
  source         = "github.com/GoogleCloudPlatform/cloud-foundation-fabric//modules/gke-nodepool"
  project_id     = "my-project"
  cluster_name   = module.gke.name
  location       = "us-west4"
  name           = "slice"
  node_locations = ["us-west4-a"]
  node_config    = { machine_type = "ct5lp-hightpu-4t", boot_disk = { type = "pd-standard" } }  #~ FS2005
  k8s_labels     = { "cloud.google.com/gke-tpu-topology" = "4x4" }  #~ FS5027
  node_count     = { initial = 4 }
  nodepool_config = {
    autoscaling      = { min_node_count = 0, max_node_count = 2 }  #~ FS4001
    placement_policy = { type = "COMPACT", tpu_topology = "4x4" }
  }
}

module "queued" {
  source             = "terraform-google-modules/kubernetes-engine/google//modules/gke-node-pool"
  project_id         = "my-project"
  cluster            = "ring"
  location           = "us-west4"
  name               = "queued"
  initial_node_count = 0
  node_count         = null
  autoscaling        = { min_node_count = 0, max_node_count = 3 }  #~ FS4001
  placement_policy   = { type = "COMPACT", tpu_topology = "4x4" }
  node_config        = { machine_type = "ct5lp-hightpu-4t", spot = true }
}
