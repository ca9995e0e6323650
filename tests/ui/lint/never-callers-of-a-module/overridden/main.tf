module "p" {
  source = "../fifth"
  n      = 2
}
