variable "topology" { default = "4x4" }
resource "kubernetes_manifest" "job" {
  manifest = {
    apiVersion = "batch/v1"
    kind       = "Job"
    metadata   = { name = "x", namespace = "default" }
    spec = {
      completions = 2  #~ FS4001
      parallelism = 2
      completionMode = "Indexed"
      template = {
        spec = {
          restartPolicy = "Never"
          nodeSelector = {
            "cloud.google.com/gke-tpu-accelerator" = "tpu-v6e-slice"
            "cloud.google.com/gke-tpu-topology"    = var.topology
          }
          containers = [{
            name = "c", image = "i:1"
            resources = { limits = { "google.com/tpu" = 4 } }
          }]
        }
      }
    }
  }
}
resource "kubernetes_job_v1" "j" {
  metadata { name = "j" }
  spec {
    completions = 2  #~ FS4001
    parallelism = 2
    completion_mode = "Indexed"
    template {
      metadata {}
      spec {
        restart_policy = "Never"
        node_selector = {
          "cloud.google.com/gke-tpu-accelerator" = "tpu-v6e-slice"
          "cloud.google.com/gke-tpu-topology"    = "4x4"
        }
        container {
          name  = "c"
          image = "i:1"
          env {
            name  = "A"
            value = 4
          }
          resources { limits = { "google.com/tpu" = 4 } }
        }
      }
    }
  }
}
resource "kubectl_manifest" "k" {
  yaml_body = <<-YAML
    apiVersion: batch/v1
    kind: Job
    metadata: {name: k}
    spec:
      completions: 4
      parallelism: 4
      completionMode: Indexed
      template:
        spec:
          restartPolicy: Never
          nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 3x3}  #~ FS3002
          containers: [{name: c, image: "i:1", resources: {limits: {google.com/tpu: 4}}}]
  YAML
}
