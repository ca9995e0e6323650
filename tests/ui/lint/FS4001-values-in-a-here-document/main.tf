variable "wrong" { default = 2 }
variable "right" { default = 4 }
variable "set" { default = 2 }
variable "open" {}
locals { topology = "4x4" }
resource "kubectl_manifest" "wrong" {
  yaml_body = <<-YAML
    apiVersion: batch/v1
    kind: Job
    metadata: {name: wrong}
    spec:
      completions: ${var.wrong}  #~ FS4001
      parallelism: ${var.wrong}
      completionMode: Indexed
      template:
        spec:
          subdomain: hosts  #~ FS4232
          restartPolicy: Never
          nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: ${local.topology}}
          containers:
            - name: main
              image: busybox:1.36
              command: ["true"]
              resources: {requests: {google.com/tpu: 4}, limits: {google.com/tpu: 4}}
  YAML
}
resource "kubectl_manifest" "right" {
  yaml_body = <<-YAML
    apiVersion: batch/v1
    kind: Job
    metadata: {name: right}
    spec:
      completions: ${var.right}
      parallelism: ${var.right}
      completionMode: Indexed
      template:
        spec:
          subdomain: hosts  #~ FS4232
          restartPolicy: Never
          nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: ${local.topology}}
          containers:
            - name: main
              image: busybox:1.36
              command: ["true"]
              resources: {requests: {google.com/tpu: 4}, limits: {google.com/tpu: 4}}
  YAML
}
resource "kubectl_manifest" "set" {
  yaml_body = <<-YAML
    apiVersion: batch/v1
    kind: Job
    metadata: {name: set}
    spec:
      completions: ${var.set}
      parallelism: ${var.set}
      completionMode: Indexed
      template:
        spec:
          subdomain: hosts  #~ FS4232
          restartPolicy: Never
          nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: ${local.topology}}
          containers:
            - name: main
              image: busybox:1.36
              command: ["true"]
              resources: {requests: {google.com/tpu: 4}, limits: {google.com/tpu: 4}}
  YAML
}
resource "kubectl_manifest" "open" {
  yaml_body = <<-YAML
    apiVersion: batch/v1
    kind: Job
    metadata: {name: open}
    spec:
      completions: ${var.open}
      parallelism: ${var.open}
      completionMode: Indexed
      template:
        spec:
          subdomain: hosts  #~ FS4232
          restartPolicy: Never
          nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: ${local.topology}}
          containers:
            - name: main
              image: busybox:1.36
              command: ["true"]
              resources: {requests: {google.com/tpu: 4}, limits: {google.com/tpu: 4}}
  YAML
}
