locals {
  n = 4
}
