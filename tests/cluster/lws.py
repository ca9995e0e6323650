"""The controller of LeaderWorkerSet with its webhooks, on a control plane that is up: $KUBE_BIN/lws-controller.

Paths and rules of the webhooks are those that its release registers; here they have a URL on loopback in place of a Service.
"""

import base64
import os
import socket
import subprocess
import unittest
import urllib.request
from pathlib import Path

from control_plane import eventually

GROUP = "leaderworkerset.x-k8s.io"
WEBHOOKS = {
    "MutatingWebhookConfiguration": [("mleaderworkerset.kb.io", f"/mutate-{GROUP.replace('.', '-')}-v1-leaderworkerset", True),
                                     ("mpod.kb.io", "/mutate--v1-pod", False)],
    "ValidatingWebhookConfiguration": [("vleaderworkerset.kb.io", f"/validate-{GROUP.replace('.', '-')}-v1-leaderworkerset", True)],
}


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def start(plane):
    """Starts it; the plane stops it with the rest. Without the program the test is skipped."""
    program = Path(plane.env["KUBE_BIN"], "lws-controller")
    if not os.access(program, os.X_OK):
        raise unittest.SkipTest(f"not in KUBE_BIN: {program.name}")
    state = plane.folder / "state"
    certificates, port, health = state / "pki/lws", free_port(), free_port()
    certificates.mkdir()
    openssl = {"cwd": state / "pki", "check": True, "stderr": subprocess.DEVNULL}
    subprocess.run(["openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=webhook",
                    "-keyout", "lws/tls.key", "-out", "lws/tls.csr"], **openssl)
    Path(certificates, "names").write_text("extendedKeyUsage=serverAuth\nsubjectAltName=IP:127.0.0.1", encoding="utf-8")
    subprocess.run(["openssl", "x509", "-req", "-in", "lws/tls.csr", "-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial",
                    "-days", "2", "-extfile", "lws/names", "-out", "lws/tls.crt"], **openssl)
    config = state / "lws.config"
    config.write_text(f"""apiVersion: config.lws.x-k8s.io/v1alpha1
kind: Configuration
leaderElection: {{leaderElect: false}}
internalCertManagement: {{enable: false}}
metrics: {{bindAddress: "0"}}
webhook: {{host: 127.0.0.1, port: {port}, certDir: {certificates}}}
health: {{healthProbeBindAddress: "127.0.0.1:{health}"}}
""", encoding="utf-8")
    plane.namespace("lws-system")
    with open(state / "log/lws-controller.log", "wb") as log:
        process = subprocess.Popen([program, "--config", config, "--kubeconfig", plane.kubeconfig],  # noqa: SIM115
                                   env=plane.env, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    plane.callback(process.wait)
    plane.callback(process.terminate)

    def ready():
        assert process.poll() is None, (state / "log/lws-controller.log").read_text(encoding="utf-8")[-2000:]
        try:
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            return opener.open(f"http://127.0.0.1:{health}/readyz", timeout=5).status == 200
        except OSError:
            return False

    eventually(ready, "lws-controller is not ready")
    authority = base64.b64encode((state / "pki/ca.crt").read_bytes()).decode()
    for kind, webhooks in WEBHOOKS.items():
        plane.request("POST", f"/apis/admissionregistration.k8s.io/v1/{kind.lower()}s", {
            "apiVersion": "admissionregistration.k8s.io/v1", "kind": kind, "metadata": {"name": "lws"},
            "webhooks": [{
                "name": name, "admissionReviewVersions": ["v1"], "sideEffects": "None", "failurePolicy": "Fail",
                "clientConfig": {"url": f"https://127.0.0.1:{port}{path}", "caBundle": authority},
                "rules": [{"apiGroups": [GROUP if own else ""], "apiVersions": ["v1"], "operations": ["CREATE", "UPDATE"] if own else ["CREATE"],
                           "resources": ["leaderworkersets" if own else "pods"]}],
            } for name, path, own in webhooks]})
