resource "kubernetes_secret_v1" "s" {
  metadata {
    name      = "model-token"
    namespace = "ml"
  }
  data = { token = var.t }
}
