module "p" {
  n = 4
}
