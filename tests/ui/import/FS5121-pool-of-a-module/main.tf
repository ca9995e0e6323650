module "gke" {
  source     = "terraform-google-modules/kubernetes-engine/google"
  project_id = "my-project"
  name       = "ring"
  region     = "us-east5"
  zones      = ["us-east5-b"]
  node_pools = [
    {
      name         = "one"  #~ FS5121
      machine_type = "ct6e-standard-4t"
      min_count    = 0
      max_count    = 1
      spot         = true
    },
  ]
}
