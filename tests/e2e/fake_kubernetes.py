"""A Kubernetes API on loopback that only says which kinds it has: what `kubectl create --dry-run=client` asks for.

    with FakeKubernetes() as fake:
        kubectl --server={fake.url} create --dry-run=client --validate=false -f manifests.yaml

A request that is not a GET of the kinds is answered 404 and noted in `unknown`: a dry run sends none.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Group version -> the kinds of the generated manifests: (kind, plural, whether it lies in a namespace).
KINDS = {
    "v1": [("Service", "services", True)],
    "batch/v1": [("Job", "jobs", True)],
    "jobset.x-k8s.io/v1alpha2": [("JobSet", "jobsets", True)],
    "kueue.x-k8s.io/v1beta2": [
        ("Topology", "topologies", False), ("ResourceFlavor", "resourceflavors", False),
        ("ProvisioningRequestConfig", "provisioningrequestconfigs", False), ("AdmissionCheck", "admissionchecks", False),
        ("ClusterQueue", "clusterqueues", False), ("LocalQueue", "localqueues", True)]}


def answers():
    """Path -> what is there."""
    groups = [version.split("/") for version in KINDS if "/" in version]
    found = {"/version": {"major": "1", "minor": "33", "gitVersion": "v1.33.0"},
             "/api": {"kind": "APIVersions", "versions": ["v1"]},
             "/apis": {"kind": "APIGroupList", "apiVersion": "v1", "groups": [
                 {"name": group, "versions": [{"groupVersion": f"{group}/{version}", "version": version}]}
                 for group, version in groups]}}
    for version, kinds in KINDS.items():
        found[("/apis/" if "/" in version else "/api/") + version] = {
            "kind": "APIResourceList", "apiVersion": "v1", "groupVersion": version, "resources": [
                {"name": plural, "singularName": kind.lower(), "kind": kind, "namespaced": namespaced,
                 "verbs": ["create", "get"]} for kind, plural, namespaced in kinds]}
    return found


class FakeKubernetes:
    """The server.  A context manager: it listens at `url` inside the with block."""

    def __init__(self):
        found, self.unknown = answers(), []
        unknown = self.unknown

        class Handler(BaseHTTPRequestHandler):
            """One answer a request."""

            def _handle(self):
                path = self.path.split("?")[0]
                known = self.command == "GET" and path in found
                if not known:
                    unknown.append(f"{self.command} {path}")
                data = json.dumps(found[path] if known else {"kind": "Status", "code": 404}).encode()
                self.send_response(200 if known else 404)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _handle

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *exception):
        self._server.shutdown()
        self._server.server_close()
