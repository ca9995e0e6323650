"""The API custom.metrics.k8s.io, as a metrics adapter serves it: one gauge, which a test sets, of all pods that a selector finds.

    with MetricsApi(plane) as metrics:
        metrics.waiting = 15     # of each pod, from now on

kube-apiserver reaches it by an APIService and a Service with an external name, and the HorizontalPodAutoscalers of
kube-controller-manager by kube-apiserver.
"""

import json
import ssl
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

import yaml

from control_plane import eventually

GROUP = "custom.metrics.k8s.io"
VERSION = f"{GROUP}/v1beta1"


class MetricsApi:
    """A context manager; `asked` has the names and selectors of the metrics that were read."""

    def __init__(self, plane):
        self.plane, self.waiting, self.asked = plane, 0, set()

    def __enter__(self):
        folder = self.plane.folder
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=metrics",
                        "-keyout", folder / "metrics.key", "-out", folder / "metrics.crt"], check=True, capture_output=True)
        api = self

        class Handler(BaseHTTPRequestHandler):
            """Answers what the autoscaler asks."""

            protocol_version = "HTTP/1.1"

            def do_GET(self):  # pylint: disable=invalid-name
                """Discovery, or a metric of pods."""
                code, body = api.answer(self.path)
                data = json.dumps(body).encode()
                self.send_response(code)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_):
                """Says nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "metrics.crt", folder / "metrics.key")
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        port = self.server.server_address[1]
        name = {"name": "metrics", "namespace": "default"}
        self.plane.kubectl("apply", "-f", "-", stdin=yaml.safe_dump_all([
            {"apiVersion": "v1", "kind": "Service", "metadata": name,
             "spec": {"type": "ExternalName", "externalName": "localhost", "ports": [{"port": port}]}},
            {"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService", "metadata": {"name": f"v1beta1.{GROUP}"},
             "spec": {"group": GROUP, "version": "v1beta1", "groupPriorityMinimum": 100, "versionPriority": 100,
                      "insecureSkipTLSVerify": True, "service": {**name, "port": port}}},
            # As the adapter's manifests have it.
            {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "metrics-reader"},
             "rules": [{"apiGroups": [GROUP], "resources": ["*"], "verbs": ["*"]}]},
            {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": {"name": "metrics-reader"},
             "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "metrics-reader"},
             "subjects": [{"kind": "ServiceAccount", "name": "horizontal-pod-autoscaler", "namespace": "kube-system"}]}]))
        eventually(lambda: self.plane.kubectl("get", f"--raw=/apis/{VERSION}", check=False).returncode == 0, "the metrics API is not served")
        return self

    def __exit__(self, *exception):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, path):
        """Status and body."""
        url = urlsplit(path)
        words = [unquote(word) for word in url.path.strip("/").split("/")]
        if words[:3] != ["apis", GROUP, "v1beta1"]:
            return 404, {}
        if len(words) == 3:
            return 200, {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": VERSION, "resources": [
                {"name": "pods/any", "singularName": "", "namespaced": True, "kind": "MetricValueList", "verbs": ["get"]}]}
        if len(words) != 8 or words[3] != "namespaces" or words[5:7] != ["pods", "*"]:
            return 404, {}
        selector = parse_qs(url.query).get("labelSelector", [""])[0]
        self.asked.add((words[7], selector))
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        return 200, {"kind": "MetricValueList", "apiVersion": VERSION, "metadata": {}, "items": [
            {"describedObject": {"kind": "Pod", "apiVersion": "/v1", "namespace": words[4], "name": pod["metadata"]["name"]},
             "metricName": words[7], "timestamp": now, "value": str(self.waiting)}
            for pod in self.plane.list("pods", words[4], labels=selector)]}
