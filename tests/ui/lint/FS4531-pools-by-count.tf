resource "google_container_node_pool" "p" {
  count          = 2
  name           = "slice-${count.index}"
  cluster        = "ml"
  location       = "us-east5"
  node_locations = ["us-east5-b"]
  node_count     = 4
  placement_policy {
    type         = "COMPACT"
    tpu_topology = "4x4"
  }
  node_config {
    machine_type = "ct6e-standard-4t"
  }
}
resource "kubectl_manifest" "two" {
  yaml_body = <<-YAML
    apiVersion: jobset.x-k8s.io/v1alpha2
    kind: JobSet
    metadata:
      name: two
      annotations: {alpha.jobset.sigs.k8s.io/exclusive-topology: cloud.google.com/gke-nodepool}
    spec:
      replicatedJobs:
      - name: slice
        replicas: 2
        template:
          spec:
            parallelism: 4
            completions: 4
            backoffLimit: 0
            template:
              spec:
                restartPolicy: Never
                nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 4x4}
                containers: [{name: t, image: "x:1", resources: {limits: {google.com/tpu: 4}}}]
  YAML
}
resource "kubectl_manifest" "three" {
  yaml_body = <<-YAML
    apiVersion: jobset.x-k8s.io/v1alpha2
    kind: JobSet
    metadata:
      name: three
      annotations: {alpha.jobset.sigs.k8s.io/exclusive-topology: cloud.google.com/gke-nodepool}
    spec:
      replicatedJobs:
      - name: slice
        replicas: 3  #~ FS4531
        template:
          spec:
            parallelism: 4
            completions: 4
            backoffLimit: 0
            template:
              spec:
                restartPolicy: Never
                nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 4x4}
                containers: [{name: t, image: "x:1", resources: {limits: {google.com/tpu: 4}}}]
  YAML
}
