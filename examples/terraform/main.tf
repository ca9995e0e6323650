# One module for each spec that is compiled with --emit terraform.
provider "google" {
  project = "my-project"
}

module "job-1" {
  source = "./pools/job-1"
}
