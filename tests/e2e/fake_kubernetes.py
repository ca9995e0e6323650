"""A Kubernetes API on loopback: the kinds of the generated manifests, and objects that kubectl can list and delete.

    with FakeKubernetes() as fake:
        kubectl --server={fake.url} create --dry-run=client --validate=false -f manifests.yaml

    with FakeKubernetes(secure=True) as fake:      # as gcloud's kubeconfigs have it: TLS, and a token
        fake.add("Job", "train", "default")
        ... a kubeconfig with server https://{fake.endpoint} and certificate authority {fake.certificate} ...
        fake.names()                               # what is left: {"default": ["Job train"]}

Everything else is answered 404 and noted in `unknown`. Errors have the status and message of the real API server.
"""

import base64
import json
import re
import ssl
import subprocess
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

# Group version -> the kinds of the generated manifests, and of what they refer to: (kind, plural, whether it lies in a namespace).
KINDS = {
    "v1": [("Service", "services", True), ("Pod", "pods", True), ("Event", "events", True), ("Secret", "secrets", True), ("ConfigMap", "configmaps", True),
           ("PodTemplate", "podtemplates", True), ("PersistentVolumeClaim", "persistentvolumeclaims", True), ("ServiceAccount", "serviceaccounts", True),
           ("Namespace", "namespaces", False), ("Node", "nodes", False), ("PersistentVolume", "persistentvolumes", False)],
    "apps/v1": [("Deployment", "deployments", True)],
    "storage.k8s.io/v1": [("StorageClass", "storageclasses", False)],
    "cloud.google.com/v1": [("ComputeClass", "computeclasses", False)],
    "autoscaling.x-k8s.io/v1beta1": [("CapacityBuffer", "capacitybuffers", True)],
    "checkpointing.gke.io/v1": [("CheckpointConfiguration", "checkpointconfigurations", False)],
    "autoscaling/v2": [("HorizontalPodAutoscaler", "horizontalpodautoscalers", True)],
    "monitoring.googleapis.com/v1": [("PodMonitoring", "podmonitorings", True)],
    "gateway.networking.k8s.io/v1": [("Gateway", "gateways", True), ("HTTPRoute", "httproutes", True)],
    "inference.networking.k8s.io/v1": [("InferencePool", "inferencepools", True)],
    "custom.metrics.k8s.io/v1beta1": [],
    "policy/v1": [("PodDisruptionBudget", "poddisruptionbudgets", True)],
    "admissionregistration.k8s.io/v1": [("MutatingWebhookConfiguration", "mutatingwebhookconfigurations", False)],
    "scheduling.k8s.io/v1": [("PriorityClass", "priorityclasses", False)],
    "batch/v1": [("Job", "jobs", True), ("CronJob", "cronjobs", True)],
    "jobset.x-k8s.io/v1alpha2": [("JobSet", "jobsets", True)],
    "leaderworkerset.x-k8s.io/v1": [("LeaderWorkerSet", "leaderworkersets", True)],
    "ray.io/v1": [("RayCluster", "rayclusters", True), ("RayJob", "rayjobs", True), ("RayService", "rayservices", True)],
    "accelerator.gke.io/v1beta1": [("Slice", "slices", False)],
    "kueue.x-k8s.io/v1beta2": [
        ("Topology", "topologies", False), ("ResourceFlavor", "resourceflavors", False),
        ("ProvisioningRequestConfig", "provisioningrequestconfigs", False), ("AdmissionCheck", "admissionchecks", False),
        ("ClusterQueue", "clusterqueues", False), ("WorkloadPriorityClass", "workloadpriorityclasses", False), ("LocalQueue", "localqueues", True)]}
REASONS = {403: "Forbidden", 404: "NotFound", 500: "InternalError"}
OBJECTS = re.compile(r"/apis?/(?P<version>v1|[^/]+/[^/]+)(?:/namespaces/(?P<namespace>[^/]+))?/(?P<plural>[^/]+)(?:/(?P<name>[^/]+))?")
TOKEN = "token-of-the-plugin"


class Refused(Exception):
    """An answer with a Status as its body."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code
        self.body = {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": message,
                     "reason": REASONS[code], "code": code}


def discovery(kinds):
    """Path -> what describes the kinds."""
    groups = [version.split("/") for version in kinds if "/" in version]
    described = [{"name": group, "versions": [{"groupVersion": f"{group}/{version}", "version": version}]}
                 for group, version in groups]
    answers = {"/version": {"major": "1", "minor": "33", "gitVersion": "v1.34.1-gke.2000000"},
               "/api": {"kind": "APIVersions", "versions": ["v1"]},
               "/apis": {"kind": "APIGroupList", "apiVersion": "v1", "groups": described}}
    answers |= {f"/apis/{group['name']}": {"kind": "APIGroup", "apiVersion": "v1", **group} for group in described}
    for version, rows in kinds.items():
        answers[("/apis/" if "/" in version else "/api/") + version] = {
            "kind": "APIResourceList", "apiVersion": "v1", "groupVersion": version, "resources": [
                {"name": plural, "singularName": kind.lower(), "kind": kind, "namespaced": namespaced,
                 "verbs": ["create", "delete", "get", "list", "watch"]} for kind, plural, namespaced in rows]}
    return answers


class Handler(BaseHTTPRequestHandler):
    """HTTP in, HTTP out; everything else is FakeKubernetes.answer."""

    fake = None  # set by FakeKubernetes, one subclass a server
    protocol_version = "HTTP/1.1"

    def _handle(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        url = urlsplit(self.path)
        try:
            if self.fake.secure and self.headers.get("Authorization") != f"Bearer {TOKEN}":
                raise Refused(403, "no token")
            status, body = 200, self.fake.answer(self.command, url.path, parse_qs(url.query))
        except Refused as refused:
            status, body = refused.code, refused.body
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _handle

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    """One thread a connection; a client that hangs up is no news."""

    daemon_threads = True

    def handle_error(self, request, client_address):
        pass


class FakeKubernetes:
    """The server and its state. A context manager: it listens on 127.0.0.1 inside the with block.

    `kinds` can be changed at any time: what is not in it is not installed. `objects` is keyed by namespace, kind and name.
    """

    def __init__(self, secure=False):
        self.secure, self.certificate = secure, ""
        self.kinds = {version: list(rows) for version, rows in KINDS.items()}
        self.objects, self.requests, self.unknown = {}, [], []
        self._refusals, self._lock, self._made = [], threading.Lock(), 0
        self._server = Server(("127.0.0.1", 0), type("BoundHandler", (Handler,), {"fake": self}))
        self.endpoint = f"127.0.0.1:{self._server.server_address[1]}"
        self.url = f"http{'s' if secure else ''}://{self.endpoint}"
        if secure:
            self._encrypt()

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *exception):
        self.stop()

    def stop(self):
        """From now on the control plane cannot be reached."""
        self._server.shutdown()
        self._server.server_close()

    def add(self, kind, name, namespace=None, labels=None, **fields):
        """Puts an object into the state; without a namespace, one that lies in none."""
        self._made += 1
        version = next(version for version, rows in KINDS.items() for row in rows if row[0] == kind)
        self.objects[namespace, kind, name] = {"apiVersion": version, "kind": kind, "metadata": {
            "name": name, "uid": f"uid-{self._made}", "labels": labels or {}} | ({"namespace": namespace} if namespace else {})} | fields

    def names(self):
        """Namespace -> `Kind name` of the objects that are there."""
        found = {}
        for namespace, kind, name in sorted(self.objects, key=lambda key: (key[0] or "", *key[1:])):
            found.setdefault(namespace, []).append(f"{kind} {name}")
        return found

    def refuse(self, method, path_regex, status, message):
        """From now on matching requests get this error and change nothing."""
        self._refusals.append((method, re.compile(path_regex), Refused(status, message)))

    def answer(self, method, path, query):
        """The body for one request, which is recorded."""
        with self._lock:
            self.requests.append((method, path))
            for refused_method, pattern, refusal in self._refusals:
                if method == refused_method and pattern.search(path):
                    raise refusal
            described = discovery(self.kinds).get(path) if method == "GET" else None
            if described is not None:
                return described
            # A namespace's own path looks like that of a list in it.
            match = None if path.startswith("/api/v1/namespaces/") and path.count("/") == 4 else OBJECTS.fullmatch(path)
            if match is None and path.startswith("/api/v1/namespaces/"):
                return self._one(method, (None, "Namespace", path.split("/")[-1]), "namespaces")
            rows = self.kinds.get(match["version"], []) if match else []
            kind = next((kind for kind, plural, _ in rows if plural == match["plural"]), None)
            if kind is not None and method == "GET" and match["name"] is None:
                return self._list(match["version"], kind, match["namespace"], query)
            if kind is not None and method in ("GET", "DELETE") and match["name"] is not None:
                return self._one(method, (match["namespace"], kind, match["name"]), match["plural"])
            # kubectl and scripts ask for groups and their versions, to learn which exist.
            if not re.fullmatch(r"/apis/[^/]+(/[^/]+)?", path):
                self.unknown.append(f"{method} {path}")
            raise Refused(404, "the server could not find the requested resource")

    def _list(self, version, kind, namespace, query):
        # Of several conditions `status.phase!=…` the last counts: a test has pods that failed.
        wanted = [dict(part.split("=") for part in query.get(key, [""])[0].split(",") if part)
                  for key in ("fieldSelector", "labelSelector")]
        about = {key.removeprefix("involvedObject."): value for key, value in wanted[0].items() if key.startswith("involvedObject.")}
        items = [each for (where, what, name), each in self.objects.items()
                 if what == kind and namespace in (None, where) and wanted[0].get("status.phase!") != each.get("status", {}).get("phase", "Running")
                 and wanted[0].get("metadata.name", name) == name
                 and wanted[0].get("status.phase") in (None, each.get("status", {}).get("phase", "Running"))
                 and about.items() <= each.get("involvedObject", {}).items()
                 and wanted[1].items() <= each["metadata"]["labels"].items()]
        return {"kind": f"{kind}List", "apiVersion": version, "metadata": {"resourceVersion": "1"}, "items": items}

    def _one(self, method, key, plural):
        if key not in self.objects:
            raise Refused(404, f'{plural} "{key[2]}" not found')
        if method == "GET":
            return self.objects[key]
        gone = self.objects.pop(key)
        return {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success",
                "details": {"name": key[2], "kind": plural, "uid": gone["metadata"]["uid"]}}

    def _encrypt(self):
        """TLS with a certificate of its own."""
        with tempfile.TemporaryDirectory() as directory:
            key, certificate = (str(Path(directory, name)) for name in ("key.pem", "certificate.pem"))
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                            "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=fake",
                            "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, key)
            self.certificate = base64.b64encode(Path(certificate).read_bytes()).decode()
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
