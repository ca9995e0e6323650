"""Places as workers of MultiKueue: three control planes on loopback, of which one is the manager and two are workers.

A workload that is sent to the manager runs in the worker that admits it and in no other, and the manager's object has its status.
The objects are those of `--emit multikueue`; the test makes what their first lines and comments ask for: a Secret with the
kubeconfig of each worker, and the namespace.
"""

import json
import re
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import report
from control_plane import ControlPlane, eventually
from gke import Gke
from workloads import Artifacts, Refused, codes, compile_spec, merged

TABLE = report.Table("multikueue")
QUIET_SECONDS = 5
SPEC = {
    "apiVersion": "flexslice/v1", "name": "train", "namespace": "team",
    "tpu": {"type": "v6e", "topology": "2x4", "machineType": "ct6e-standard-4t"}, "provisioning": {"model": "spot", "queue": "team"},
    "workload": {"image": "busybox", "command": ["run"], "resources": {"cpu": "1", "memory": "1Gi"}},
    "places": [{"name": "us", "cluster": {"name": "one", "location": "us-east5"}, "provisioning": {"zones": ["us-east5-b"]}},
               {"name": "eu", "cluster": {"name": "two", "location": "europe-west4"}, "provisioning": {"zones": ["europe-west4-a"]}}],
}
WORKERS = ("us", "eu")
# {what: (change of the spec, kind, pods)}
KINDS = {
    "Job on several hosts": ({"name": "job"}, "job", 2),
    "Job on one host": ({"name": "small", "tpu": {"topology": "2x2", "machineType": None}}, "job", 1),
    "JobSet of two slices": ({"name": "set", "tpu": {"slices": 2}, "workload": {"kind": "jobset"}}, "jobset", 4),
}


def tearDownModule():
    TABLE.finish()


def why_no_watch(plane):
    """Why Kueue cannot watch another cluster here, or None: its watches begin without a version, which later servers pass to etcd."""
    minor = int(re.match(r"\d+", plane.request("GET", "/version")["minor"])[0])
    said = subprocess.run([Path(plane.env["KUBE_BIN"], "etcd"), "--version"], check=True, capture_output=True, encoding="utf-8").stdout
    etcd = tuple(map(int, re.search(r"etcd Version: (\d+)\.(\d+)\.(\d+)", said).groups()))
    return f"Kubernetes 1.{minor} cannot watch for MultiKueue with etcd {etcd}" if minor > 33 and etcd < (3, 4, 25) else None


class MultiKueue(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.manager = cls.enterClassContext(ControlPlane())
        reason = why_no_watch(cls.manager)
        if reason:
            raise unittest.SkipTest(reason)
        cls.planes = {name: cls.enterClassContext(ControlPlane()) for name in WORKERS}
        cls.gke = {name: cls.enterClassContext(Gke(plane)) for name, plane in cls.planes.items()}
        for plane in (cls.manager, *cls.planes.values()):
            plane.namespace("team")
        for name, plane in cls.planes.items():
            cls.manager.kubectl("create", "secret", "generic", f"{name}-kubeconfig", "-n", "kueue-system", f"--from-file=kubeconfig={plane.kubeconfig}")

    def compiled(self, change):
        """The folder with the objects of the manager and of each worker."""
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        spec = merged(SPEC, change)
        compile_spec(spec, folder, ["--emit", "multikueue"])
        compile_spec(spec, folder, ["--emit", "provision"])
        return folder / "out" / spec["name"], spec

    def apply(self, plane, path):
        said = path.read_text(encoding="utf-8")
        self.assertIn("kubectl apply --server-side --force-conflicts", said)
        plane.kubectl("apply", "--server-side", "--force-conflicts", "-f", path)

    def get(self, plane, kind, name, namespace="team"):
        found = plane.kubectl("get", kind, name, *(["-n", namespace] if namespace else []), "-o", "json", check=False)
        return json.loads(found.stdout) if found.returncode == 0 else None

    def condition(self, plane, kind, name, of, namespace=None):
        found = self.get(plane, kind, name, namespace) or {}
        return next((each for each in found.get("status", {}).get("conditions", []) if each["type"] == of), {})

    def why(self, kind, name):
        lines = []
        for title, plane in (("manager", self.manager), *self.planes.items()):
            lines.append(f"{title}: {json.dumps((self.get(plane, kind, name) or {}).get('status'))}")
            for each in plane.list("workloads", "team"):
                lines.append(f"  workload {each['metadata']['name']}: {json.dumps(each.get('status', {}))[:1500]}")
            lines += [f"  pod {pod['metadata']['name']}: {pod['status']['phase']} on {pod['spec'].get('nodeName')}" for pod in plane.list("pods", "team")]
        return "\n".join(lines)

    def pods(self, name):
        return [pod for pod in self.planes[name].list("pods", "team") if pod["status"]["phase"] == "Running" and "deletionTimestamp" not in pod["metadata"]]

    def check(self, what, change, kind, count, nodes_in):
        """The workload runs where there are nodes, and nowhere else; it ends there, and the manager says so."""
        folder, spec = self.compiled(change)
        name = spec["name"]
        for worker, plane in self.planes.items():
            self.apply(plane, folder / worker / "multikueue.yaml")
            if worker in nodes_in:
                made = Artifacts(folder / worker, spec, "", folder)
                self.gke[worker].provision(made.commands())
            elif count == 1:  # Kueue looks for nodes where a slice has several; else its quota decides
                plane.kubectl("patch", "clusterqueue", "team", "--type=merge", "--patch", '{"spec": {"stopPolicy": "Hold"}}')
        self.apply(self.manager, folder / "multikueue.yaml")
        self.addCleanup(self.clear, folder)
        for worker in WORKERS:
            eventually(lambda worker=worker: self.condition(self.manager, "multikueuecluster", worker, "Active").get("status") == "True",
                       lambda worker=worker: str(self.condition(self.manager, "multikueuecluster", worker, "Active")))
        eventually(lambda: self.condition(self.manager, "admissioncheck", "team-multikueue", "Active").get("status") == "True",
                   lambda: str(self.condition(self.manager, "admissioncheck", "team-multikueue", "Active")))
        eventually(lambda: any(len(self.pods(worker)) == count for worker in WORKERS), lambda: self.why(kind, name))
        time.sleep(QUIET_SECONDS)
        [runs_in] = [worker for worker in WORKERS if self.pods(worker)]
        self.assertIn(runs_in, nodes_in)
        self.assertEqual(len(self.pods(runs_in)), count)
        for worker in WORKERS:
            self.assertEqual(self.get(self.planes[worker], kind, name) is not None, worker == runs_in, self.why(kind, name))
        self.assertEqual(self.manager.list("pods", "team"), [])

        def active():
            status = self.get(self.manager, kind, name).get("status", {})
            return status.get("active") == count or any(each.get("active") for each in status.get("replicatedJobsStatus", []))
        eventually(active, lambda: self.why(kind, name))
        self.gke[runs_in].finish("team", name)
        done = "Complete" if kind == "job" else "Completed"
        eventually(lambda: self.condition(self.manager, kind, name, done, "team").get("status") == "True", lambda: self.why(kind, name))
        self.clear(folder)
        TABLE.row(what, f"runs in {' or '.join(nodes_in)}, and the manager has its status")

    def clear(self, folder):
        """Nothing is left in the three."""
        self.manager.kubectl("delete", "--ignore-not-found", "--timeout=60s", "-f", folder / "multikueue.yaml", check=False)
        for worker, plane in self.planes.items():
            plane.kubectl("delete", "--ignore-not-found", "--timeout=60s", "-f", folder / worker / "multikueue.yaml", check=False)
            eventually(lambda plane=plane: not plane.list("pods", "team"), "pods are still there")
            self.gke[worker].remove_pools()
            for change, *_ in KINDS.values():
                self.gke[worker].unfinish("team", change["name"])
        self.assertEqual([gke.trouble for gke in self.gke.values()], [[], []])

    def test_the_worker_that_admits(self):
        for what, (change, kind, count) in KINDS.items():
            for worker in reversed(WORKERS):
                with self.subTest(what, worker=worker):
                    self.check(f"{what}, nodes in {worker}", change, kind, count, [worker])

    def test_both_workers_have_nodes(self):
        for what, (change, kind, count) in KINDS.items():
            with self.subTest(what):
                self.check(f"{what}, nodes in both", change, kind, count, list(WORKERS))

    def test_places_that_differ_are_found_before(self):
        """An object that is not the same everywhere cannot be sent."""
        places = [SPEC["places"][0], merged(SPEC["places"][1], {"provisioning": {"model": "on-demand"}})]
        with self.assertRaises(Refused) as caught:
            self.compiled({"places": places})
        self.assertIn("FS4274", codes(caught.exception))


if __name__ == "__main__":
    unittest.main()
