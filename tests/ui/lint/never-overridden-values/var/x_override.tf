variable "n" {
  default = 4
}
