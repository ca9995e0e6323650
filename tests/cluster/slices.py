"""The slice controllers of GKE and Kueue, for one control plane: they form slices of nodes that Kueue has chosen.

    with Slices(plane) as slices:
        slices.form = True     # until then the admission check of the workloads is pending

A webhook writes into a workload that is created which nodes its pods need.  A thread looks at the cluster a few times a
second: it says that the admission check is active, labels the nodes of an admitted workload as a slice, and makes its check
Ready, with the label of the slice for the node selector of the pods.  The slice goes when the workload has ended.
"""

import base64
import json
import ssl
import threading
import time
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from control_plane import ApiError
from nodes import BLOCK, GKE, PARTS, chips_of, part_label

CONTROLLER = "accelerator.gke.io/slice"
SHAPE = GKE + "tpu-slice-topology"
SLICE, TOPOLOGY = GKE + "tpu-slice", GKE + "tpu-topology"
WEBHOOK = "slices"


def now():
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def part_of(shape):
    """The largest part of a sub-block that such a slice has whole."""
    return shape if shape in PARTS else PARTS[-1]


def complete(template, pods):
    """Adds to a pod template what the slice of its annotation needs."""
    annotations = template.get("metadata", {}).get("annotations", {})
    shape = annotations.get(SHAPE)
    if not shape:
        return
    part = part_of(shape)
    annotations |= {"kueue.x-k8s.io/podset-required-topology": BLOCK, "kueue.x-k8s.io/podset-slice-required-topology": part_label(part),
                    "kueue.x-k8s.io/podset-slice-size": str(pods * chips_of(part) // chips_of(shape))}
    template["spec"].setdefault("affinity", {}).setdefault("nodeAffinity", {
        "requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [
            {"key": part_label(part, "state"), "operator": "In", "values": ["HEALTHY", "DEGRADED"]}]}]}})


def completed(workload):
    """A Job or JobSet with what its slices need."""
    spec = workload["spec"]
    for job in [each["template"]["spec"] for each in spec["replicatedJobs"]] if workload["kind"] == "JobSet" else [spec]:
        complete(job["template"], job.get("parallelism", 1))
    return workload


class Webhook(BaseHTTPRequestHandler):
    """Answers reviews of workloads that are created."""

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["request"]
        patch = [{"op": "replace", "path": "/spec", "value": completed(request["object"])["spec"]}]
        answer = {"uid": request["uid"], "allowed": True, "patchType": "JSONPatch", "patch": base64.b64encode(json.dumps(patch).encode()).decode()}
        body = json.dumps({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": answer}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def hosts_of(assignment):
    """The nodes of a topology assignment, whose lowest level is the host name."""
    names = []
    for each in assignment["slices"]:
        values = each["valuesPerLevel"][-1]
        if "universal" in values:
            names.append(values["universal"])
            continue
        several = values["individual"]
        names += [several.get("prefix", "") + root + several.get("suffix", "") for root in several["roots"]]
    return names


class Slices:
    """A context manager."""

    def __init__(self, plane):
        self.plane, self.form = plane, False
        self.trouble = []  # what went wrong in the thread; the tests look
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        pki = self.plane.folder / "state/pki"
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Webhook)
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(pki / "webhook/tls.crt", pki / "webhook/tls.key")
        self._server.socket = tls.wrap_socket(self._server.socket, server_side=True)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        rules = [{"apiGroups": [group], "apiVersions": ["*"], "resources": [kind], "operations": ["CREATE"]}
                 for group, kind in (("batch", "jobs"), ("jobset.x-k8s.io", "jobsets"))]
        self.plane.create("mutatingwebhookconfigurations", {
            "apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingWebhookConfiguration", "metadata": {"name": WEBHOOK},
            "webhooks": [{"name": "slices.accelerator.gke.io", "rules": rules, "sideEffects": "None", "admissionReviewVersions": ["v1"],
                          "objectSelector": {"matchExpressions": [{"key": "kueue.x-k8s.io/queue-name", "operator": "Exists"}]},
                          "clientConfig": {"url": f"https://127.0.0.1:{self._server.server_port}/",
                                           "caBundle": base64.b64encode((pki / "ca.crt").read_bytes()).decode()}}]})
        self._thread.start()
        return self

    def __exit__(self, *exception):
        self._stop.set()
        self._thread.join()
        self.plane.delete("mutatingwebhookconfigurations", None, WEBHOOK)
        self._server.shutdown()
        self._server.server_close()

    def _run(self):
        while not self._stop.wait(0.25):
            try:
                self._act()
            except ApiError as error:  # something else changed the object first: look again
                if error.status not in (404, 409):
                    self.trouble.append(str(error))
            except Exception:  # pylint: disable=broad-except
                self.trouble.append(traceback.format_exc())

    def _act(self):
        checks = [each["metadata"]["name"] for each in self.plane.list("admissionchecks") if each["spec"]["controllerName"] == CONTROLLER]
        for name in checks:
            if not self.plane.get("admissionchecks", None, name).get("status"):
                self.plane.patch_status("admissionchecks", None, name, {"conditions": [
                    {"type": "Active", "status": "True", "reason": "Active", "message": "", "lastTransitionTime": now()}]})
        active = set()
        for workload in self.plane.list("workloads"):
            status = workload.get("status", {})
            conditions = {each["type"]: each["status"] for each in status.get("conditions", [])}
            if conditions.get("QuotaReserved") != "True" or conditions.get("Finished") == "True":
                continue
            active.add(workload["metadata"]["uid"])
            if self.form and any(each["name"] in checks and each["state"] == "Pending" for each in status.get("admissionChecks", [])):
                self._form(workload, checks)
        for node in self.plane.list("nodes"):
            if node["metadata"]["labels"].get(SLICE, "").partition(".")[0] not in active | {""}:
                self.plane.patch("nodes", None, node["metadata"]["name"], {"metadata": {"labels": {SLICE: None, TOPOLOGY: None}}})

    def _form(self, workload, checks):
        """Makes slices of the nodes that Kueue has assigned to the pods, and the check Ready."""
        metadata, updates = workload["metadata"], []
        assigned = {each["name"]: each["topologyAssignment"] for each in workload["status"]["admission"]["podSetAssignments"]}
        for pods in workload["spec"]["podSets"]:
            shape = pods["template"]["metadata"]["annotations"][SHAPE]
            for name in hosts_of(assigned[pods["name"]]):
                self.plane.patch("nodes", None, name, {"metadata": {"labels": {SLICE: f"{metadata['uid']}.{pods['name']}", TOPOLOGY: shape}}})
            updates.append({"name": pods["name"], "nodeSelector": {TOPOLOGY: shape}})
        states = [each | {"state": "Ready", "message": "slices are active", "lastTransitionTime": now(), "podSetUpdates": updates}
                  if each["name"] in checks else each for each in workload["status"]["admissionChecks"]]
        self.plane.patch_status("workloads", metadata["namespace"], metadata["name"], {"admissionChecks": states})
