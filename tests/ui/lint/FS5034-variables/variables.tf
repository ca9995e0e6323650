variable "zones" {
  type = list(string)
}
variable "is_spot" {
  default = false
}
variable "topology" {
  default = "4x6"
}
variable "wide" {}
locals {
  machine = "ct6e-standard-4t"
}
