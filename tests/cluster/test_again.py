"""A workload in a queue, of every kind, is applied again while it runs, in the ways that provision.sh and manifests.yaml name.

No object changes, no pod ends, and kubectl reports no error.  Where the file says to delete the workload first, applying it
does change the workload, and once it is deleted it starts again.  Kueue, JobSet, LeaderWorkerSet and KubeRay with its TPU
webhook run.
"""

import time
import unittest

import integrations
import report
from control_plane import ControlPlane, eventually
from stage import stage
from workloads import compile_spec, merged

TABLE = report.Table("again")
QUIET_SECONDS = 5

SPEC = {
    "apiVersion": "flexslice/v1", "name": "t", "namespace": "again", "cluster": {"name": "c", "location": "us-east5"},
    "tpu": {"type": "v6e", "topology": "4x4"}, "provisioning": {"model": "on-demand", "zones": ["us-east5-b"], "queue": "q"},
    "workload": {"image": "busybox", "command": ["run"], "resources": {"cpu": "1", "memory": "1Gi"}},
}
RAY = {"workload": {"command": None, "ray": {"version": "2.51.0"}}}
KINDS = {
    "Job on one host": {"tpu": {"topology": "2x2"}},
    "Job on several hosts": {},
    "JobSet": {"tpu": {"slices": 2}, "workload": {"kind": "jobset"}},
    "LeaderWorkerSet": {"tpu": {"slices": 2}, "workload": {"kind": "leaderworkerset"}},
    "Deployment": {"tpu": {"topology": "2x2", "slices": 2}, "workload": {"kind": "deployment"}},
    "RayCluster": merged(RAY, {"workload": {"kind": "raycluster"}}),
    "RayJob": merged(RAY, {"workload": {"kind": "rayjob", "script": "run"}}),
}


def tearDownModule():
    TABLE.finish()


class Again(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.plane = cls.enterClassContext(ControlPlane(("jobset", "kueue", "lws", "ray")))
        integrations.add(cls.plane, "deployment")

    def state(self, made):
        """What the server has of the objects, and the pods. A generation may be counted for the same spec: a webhook writes, too."""
        objects = []
        for each in made.objects():
            kind, name = each["kind"].lower(), each["metadata"]["name"]
            objects.append(self.plane.kubectl("get", f"{kind}/{name}", "-n", made.namespace, "-o", "jsonpath={.spec}").stdout)
        pods = sorted((pod["metadata"]["uid"], pod["metadata"].get("deletionTimestamp")) for pod in self.plane.list("pods", made.namespace))
        return objects, pods

    def started(self, made):
        """Every pod with chips has a node of its own."""
        def done():
            pods = [pod for pod in self.plane.list("pods", made.namespace)
                    if any("google.com/tpu" in each.get("resources", {}).get("requests", {}) for each in pod["spec"]["containers"])]
            nodes = {pod["spec"].get("nodeName") for pod in pods}
            return len(pods) == made.pods_wanted() and None not in nodes and len(nodes) == len(pods)
        eventually(done, lambda: made.why(self.plane))

    def apply(self, words, *arguments):
        """Applies the files, without an error or a warning."""
        done = self.plane.kubectl(*words, *arguments)
        # kubectl may warn that it adds the annotation that the other way to apply needs.
        self.assertEqual([line for line in done.stderr.splitlines() if "last-applied-configuration" not in line], [])
        return done.stdout

    def check(self, what, change):
        made = compile_spec(merged(SPEC, change))
        header = made.path("manifests.yaml").read_text(encoding="utf-8").partition("---")[0]
        next_words, ways = made.next_words(), made.ways_to_apply()
        manifests = ("-f", made.path("manifests.yaml"))
        with stage(self.plane, made) as (gke, arguments):
            gke.provision(made.commands())
            self.apply(["apply"], *arguments)  # by somebody who has not read how
            self.started(made)
            time.sleep(QUIET_SECONDS)
            before = self.state(made)
            if "delete the workload first" in header:
                self.plane.kubectl(*next_words, *manifests)
                time.sleep(QUIET_SECONDS)
                self.assertNotEqual(before[0], self.state(made)[0], "the first lines of the file are no longer true")
                self.plane.kubectl("delete", *manifests)
                eventually(lambda: not self.plane.list("pods", made.namespace), "pods are still there")
                self.apply(next_words, *arguments)
                self.started(made)
                TABLE.row(what, "deleted and applied, it starts again")
                return
            for words in ways:
                said = self.apply(words, *arguments)
                time.sleep(QUIET_SECONDS)
                self.assertEqual(before, self.state(made), said)
        TABLE.row(what, f"{' and '.join('kubectl ' + ' '.join(words) for words in ways)}: no change while it runs")

    def test_every_kind(self):
        for what, change in KINDS.items():
            with self.subTest(what):
                self.check(what, change)


if __name__ == "__main__":
    unittest.main()
