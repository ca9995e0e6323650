"""A Kubernetes control plane for one test module, and a client of its API.

    def setUpModule():
        global PLANE
        PLANE = unittest.enterModuleContext(ControlPlane())

The folder that $FLEXSLICE_KUBE names has the scripts: `kube-up` starts etcd, kube-apiserver, kube-controller-manager and
kube-scheduler on loopback, `kube-controllers` adds JobSet and Kueue with their webhooks, `kube-down` stops them all.  The
binaries are in $KUBE_BIN, by default $HOME/kube/bin.  Where any of that is missing the test is skipped with the reason,
also under CI: no package installs it.
"""

import atexit
import base64
import contextlib
import http.client
import json
import os
import shutil
import signal
import ssl
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path
from urllib.parse import quote, urlencode, urlsplit

import ray_dashboard

CORE = ("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler")
CONTROLLERS = {"jobset": "jobset-controller", "kueue": "kueue-controller", "lws": "lws-controller", "ray": "kuberay-operator"}
ALL = tuple(CONTROLLERS)
GROUPS = {
    **dict.fromkeys(("nodes", "pods", "services", "namespaces", "podtemplates", "secrets", "configmaps",
                    "persistentvolumes", "persistentvolumeclaims"), "/api/v1"),
    "endpointslices": "/apis/discovery.k8s.io/v1", "jobs": "/apis/batch/v1", "cronjobs": "/apis/batch/v1", "jobsets": "/apis/jobset.x-k8s.io/v1alpha2",
    **dict.fromkeys(("workloads", "admissionchecks"), "/apis/kueue.x-k8s.io/v1beta2"),
    "mutatingwebhookconfigurations": "/apis/admissionregistration.k8s.io/v1",
    **dict.fromkeys(("rayclusters", "rayjobs", "rayservices"), "/apis/ray.io/v1"),
    "provisioningrequests": "/apis/autoscaling.x-k8s.io/v1",
}
SECONDS = int(os.environ.get("FLEXSLICE_KUBE_SECONDS", "90"))  # how long anything may take that is expected to happen


class ApiError(Exception):
    """An answer of the server that is not 2xx."""

    def __init__(self, status, message):
        super().__init__(f"{status}: {message}")
        self.status = status


def missing(controllers):
    """Why no control plane can be started here, or None."""
    scripts = os.environ.get("FLEXSLICE_KUBE")
    if not scripts:
        return "FLEXSLICE_KUBE is not set: it names the folder with kube-up, kube-controllers and kube-down"
    absent = [name for name in ("kube-up", "kube-controllers", "kube-down") if not os.access(Path(scripts, name), os.X_OK)]
    if absent:
        return f"not in FLEXSLICE_KUBE: {', '.join(absent)}"
    folder = Path(os.environ.get("KUBE_BIN", Path.home() / "kube/bin"))
    binaries = CORE + tuple(CONTROLLERS[name] for name in controllers)
    absent = [name for name in binaries if not os.access(folder / name, os.X_OK)]
    if absent:
        return f"not in KUBE_BIN: {', '.join(absent)}"
    absent = [name for name in ("kubectl", "openssl", "curl") if shutil.which(name) is None]
    return f"not installed: {', '.join(absent)}" if absent else None


def eventually(look, what, seconds=SECONDS):
    """Calls look() until it returns something true, which is the result; fails after `seconds` with `what`, which may be
    a function."""
    end = time.monotonic() + seconds
    while True:
        value = look()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} s: {what() if callable(what) else what}")
        time.sleep(0.2)


class ControlPlane(contextlib.ExitStack):
    """A context manager: up on entry, down and removed on exit, whatever happens in between."""

    def __init__(self, controllers=("jobset", "kueue")):
        super().__init__()
        self.controllers = controllers
        self._local, self._connections = threading.local(), []  # a connection for each thread

    def __enter__(self):
        reason = missing(self.controllers)
        if reason:
            raise unittest.SkipTest(reason)
        super().__enter__()
        try:
            self._start()
        except BaseException:
            self.close()
            raise
        return self

    def _start(self):
        # A test that is stopped has to stop its control plane, whose processes are in sessions of their own.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        folder = Path(tempfile.mkdtemp(prefix="flexslice-cluster-"))
        self.callback(shutil.rmtree, folder, ignore_errors=True)
        self.folder, self.kubeconfig = folder, folder / "state/kubeconfig"
        home = folder / "home"  # kubectl's cache of what the server has must be of this server
        home.mkdir()
        self.env = os.environ | {"KUBECONFIG": str(self.kubeconfig), "HOME": str(home), "TMPDIR": str(folder),
                                 "KUBE_BIN": os.environ.get("KUBE_BIN", str(Path.home() / "kube/bin"))}
        for name in [name for name in self.env if name.lower() in ("http_proxy", "https_proxy", "all_proxy")]:
            del self.env[name]
        self.callback(self._stop)
        self.callback(lambda: [connection.close() for connection in self._connections])
        atexit.register(self._stop)
        self._script("kube-up", "--state", folder / "state", "--no-crds")
        if self.controllers:
            dashboard = {"http_proxy": ray_dashboard.start(self)} if "ray" in self.controllers else {}
            self._script("kube-controllers", *self.controllers, env=dashboard)
        self._read_kubeconfig()

    def _stop(self):
        pids = self.folder / "state/pids"
        if not pids.exists():
            return
        for pid, _, name in [line.split() for line in pids.read_text(encoding="utf-8").splitlines()]:
            # kube-down leaves these, and they would look for the server for ever.
            if name in ("lws-controller", "ray-controller", "tpu-webhook"):
                with contextlib.suppress(OSError):
                    if str(self.folder) in Path("/proc", pid, "cmdline").read_text(encoding="utf-8"):
                        os.kill(int(pid), signal.SIGTERM)
        self._script("kube-down", self.folder / "state", check=False)

    def _script(self, name, *arguments, check=True, env=None):
        run = subprocess.run([Path(os.environ["FLEXSLICE_KUBE"], name), *arguments], env=self.env | (env or {}), check=False,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if check and run.returncode:
            raise AssertionError(f"{name}: {run.stderr}")

    def _read_kubeconfig(self):
        config = json.loads(self.kubectl("config", "view", "--raw", "--minify", "-o", "json").stdout)
        cluster, user = config["clusters"][0]["cluster"], config["users"][0]["user"]
        self._server = urlsplit(cluster["server"])
        for name, text in (("cert", user["client-certificate-data"]), ("key", user["client-key-data"])):
            (self.folder / name).write_bytes(base64.b64decode(text))
        self._tls = ssl.create_default_context(cadata=base64.b64decode(cluster["certificate-authority-data"]).decode())
        self._tls.load_cert_chain(self.folder / "cert", self.folder / "key")

    # The API, without a kubectl process for each request: for what the tests look at, and what GKE does.

    def request(self, method, path, body=None, kind="application/json"):
        """The answer to a request, parsed; raises ApiError."""
        data = None if body is None else json.dumps(body).encode()
        for attempt in (1, 2):
            connection = getattr(self._local, "connection", None)
            if connection is None:
                connection = http.client.HTTPSConnection(self._server.hostname, self._server.port, context=self._tls, timeout=60)
                self._local.connection = connection
                self._connections.append(connection)
            try:
                connection.request(method, path, data, {"Content-Type": kind, "Accept": "application/json"})
                answer = connection.getresponse()
                text = answer.read()
                break
            except (OSError, http.client.HTTPException):  # a connection that the server closed meanwhile
                connection.close()
                self._local.connection = None
                if attempt == 2:
                    raise
        self._local.warnings = answer.headers.get_all("Warning") or []
        document = json.loads(text or b"{}")
        if answer.status >= 300:
            raise ApiError(answer.status, document.get("message", ""))
        return document

    @property
    def warnings(self):
        """What the server warned of in its last answer to this thread."""
        return self._local.warnings

    @staticmethod
    def path(resource, namespace=None, name=None, sub=None):
        """The path of a collection or an object."""
        parts = [GROUPS[resource], *(["namespaces", namespace] if namespace else []), resource,
                 *([quote(name)] if name else []), *([sub] if sub else [])]
        return "/".join(parts)

    def list(self, resource, namespace=None, **selectors):
        """The objects of a kind, in one namespace or all; `labels="a=b"` selects."""
        query = urlencode({"labelSelector": selectors["labels"]}) if "labels" in selectors else ""
        return self.request("GET", f"{self.path(resource, namespace)}?{query}").get("items", [])

    def get(self, resource, namespace, name):
        """One object, or None."""
        try:
            return self.request("GET", self.path(resource, namespace, name))
        except ApiError as error:
            if error.status == 404:
                return None
            raise

    def create(self, resource, body, namespace=None):
        """Creates an object."""
        return self.request("POST", self.path(resource, namespace), body)

    def patch(self, resource, namespace, name, change, sub=None):
        """Merges into an object, or into what `sub` names of it."""
        return self.request("PATCH", self.path(resource, namespace, name, sub), change, "application/merge-patch+json")

    def patch_status(self, resource, namespace, name, status):
        """Merges into the status of an object."""
        return self.patch(resource, namespace, name, {"status": status}, "status")

    def delete(self, resource, namespace, name, grace=None):
        """Deletes an object; what is gone already is no error."""
        body = {} if grace is None else {"gracePeriodSeconds": grace}
        with contextlib.suppress(KeyError):
            try:
                self.request("DELETE", self.path(resource, namespace, name), body)
            except ApiError as error:
                if error.status not in (404, 409):
                    raise

    # The real kubectl, for everything that a user does with it.

    def kubectl(self, *arguments, stdin=None, check=True, env=None):
        """Runs kubectl; the result has returncode, stdout and stderr."""
        run = subprocess.run(["kubectl", *map(str, arguments)], env=self.env | (env or {}), input=stdin, check=False,
                             capture_output=True, encoding="utf-8")
        if check and run.returncode:
            raise AssertionError(f"kubectl {' '.join(map(str, arguments))}: {run.stderr or run.stdout}")
        return run

    def namespace(self, name):
        """Creates a namespace, as its users would have; returns the name."""
        with contextlib.suppress(ApiError):
            self.create("namespaces", {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
        return name
