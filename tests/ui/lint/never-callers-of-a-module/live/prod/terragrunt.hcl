terraform {
  source = "../../wrapped"
}
inputs = {
  n = 4
}
