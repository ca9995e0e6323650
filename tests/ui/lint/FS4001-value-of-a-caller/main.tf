module "p" {
  source = "./pool"
  n      = 2
}
