resource "google_container_node_pool" "team" {
  name           = "team"
  cluster        = "ml"
  location       = "us-east5"
  node_locations = ["us-east5-b"]
  node_count     = 2
  node_config {
    machine_type = "ct6e-standard-8t"
    taint {
      key    = "team"
      value  = "a"
      effect = "NO_SCHEDULE"
    }
    taint {
      key    = "google.com/tpu"
      value  = "present"
      effect = "NO_SCHEDULE"
    }
  }
}
resource "kubectl_manifest" "one" {
  yaml_body = <<-YAML
    apiVersion: batch/v1
    kind: Job
    metadata: {name: one}
    spec:
      template:
        spec:
          restartPolicy: Never
          nodeSelector:
            cloud.google.com/gke-nodepool: team  #~ FS4530
            cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
            cloud.google.com/gke-tpu-topology: 2x4
          containers: [{name: t, image: busybox, resources: {limits: {google.com/tpu: 8}}}]
  YAML
}
resource "kubectl_manifest" "two" {
  yaml_body = <<-YAML
    apiVersion: batch/v1
    kind: Job
    metadata: {name: two}
    spec:
      template:
        spec:
          restartPolicy: Never
          nodeSelector:
            cloud.google.com/gke-nodepool: team
            cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
            cloud.google.com/gke-tpu-topology: 2x4
          tolerations: [{key: team, operator: Equal, value: a, effect: NoSchedule}]
          containers: [{name: t, image: busybox, resources: {limits: {google.com/tpu: 8}}}]
  YAML
}
