variable "cluster" {}

locals {
  region = "us-east5"
}

module "shape" {
  source = "./shape"
}
