locals {
  hosts = 2
}

resource "kubectl_manifest" "train" {
  yaml_body = yamlencode({
    apiVersion = "batch/v1"
    kind       = "Job"
    metadata   = { name = "train" }
    spec = {
      completionMode = "Indexed"
      completions    = local.hosts  #~ FS4001
      parallelism    = local.hosts
      backoffLimit   = 0
      template = {
        spec = {
          restartPolicy = "Never"
          subdomain     = "train"  #~ FS4232
          nodeSelector = {
            "cloud.google.com/gke-tpu-accelerator" = "tpu-v6e-slice"
            "cloud.google.com/gke-tpu-topology"    = "4x4"
          }
          containers = [{
            name      = "main"
            image     = "python:3.12"
            ports     = [{ containerPort = 8471 }]
            resources = { limits = { "google.com/tpu" = 4 } }
          }]
        }
      }
    }
  })
}

resource "kubectl_manifest" "single" {
  yaml_body = yamlencode({
    apiVersion = "batch/v1"
    kind       = "Job"
    metadata   = { name = "single" }
    spec = {
      backoffLimit = 0
      template = {
        spec = {
          restartPolicy = "Never"
          nodeSelector = {
            "cloud.google.com/gke-tpu-accelerator" = "tpu-v6e-slice"
            "cloud.google.com/gke-tpu-topology"    = "2x2"
          }
          containers = [{
            name      = "main"
            image     = "python:3.12"
            resources = { limits = { "google.com/tpu" = 4 } }
          }]
        }
      }
    }
  })
}
