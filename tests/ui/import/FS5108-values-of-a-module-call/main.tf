module "p" {
  source = "./pool"
  zone   = "us-east5-b"
  spot   = true
}
