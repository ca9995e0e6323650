module "tpus" {
  source = "./modules/tpu-cluster"
  pools = {
    slice = { machine = "ct5lp-hightpu-4t", topology = "4x4" }  #~ FS5057
  }
}
