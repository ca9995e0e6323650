variable "node_pools" {
  default = [
    { name = "right", machine_type = "ct6e-standard-4t", node_count = 1, autoscaling = false },
    { name = "tpu", machine_type = "ct6e-standard-4t", tpu_topology = "2x2x1", placement_policy = "COMPACT" },
  ]
}
variable "placement" {
  default = { type = "COMPACT", tpu_topology = "2x2x1" }
}
