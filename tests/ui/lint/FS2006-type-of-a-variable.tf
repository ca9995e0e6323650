variable "zone" {
  type = string-2  #~ FS2006
}
variable "counts" {
  type = map(number)
}
resource "google_container_node_pool" "p" {
  name           = "p"
  cluster        = "ml"
  location       = "us-east5-b"
  node_count     = 1
  node_config { machine_type = "ct6e-standard-8t" }
}
