module "p" {
  source = "../../../modules/tpu-pool"
  n      = 4
}
