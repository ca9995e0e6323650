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
