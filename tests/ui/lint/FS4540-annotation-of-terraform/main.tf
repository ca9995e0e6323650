resource "google_container_node_pool" "tpu" {
  name       = "tpu"
  project    = "acme"
  cluster    = "c"
  location   = "us-east5-b"
  node_count = 4
  node_config {
    machine_type = "ct6e-standard-4t"
    workload_metadata_config {
      mode = "GKE_METADATA"
    }
  }
  placement_policy {
    type         = "COMPACT"
    tpu_topology = "4x4"
  }
}
resource "google_service_account" "trainer" {
  account_id = "trainer"
  project    = "acme"
}
resource "google_service_account_iam_member" "trainer" {
  service_account_id = google_service_account.trainer.name
  role               = "roles/iam.workloadIdentityUser"
  member             = "serviceAccount:acme.svc.id.goog[ml/traner]"
}
resource "kubernetes_service_account" "trainer" {
  metadata {
    name        = "trainer"
    namespace   = "ml"
    annotations = { "iam.gke.io/gcp-service-account" = "trainer@acme.iam.gserviceaccount.com" } #~ FS4540
  }
}
