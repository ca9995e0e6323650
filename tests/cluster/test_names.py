"""Names at their limit: the longest name that the program accepts works on a cluster, and one character more is refused.

Each row has a spec in which one name grows.  The longest is applied: the server takes all objects, every pod gets a node,
and hosts have the names that the workload's Service publishes.  The limits are found by trying, so that the program alone
says what they are; the server then shows that none is too wide.  Where a limit is the server's, a name with one character
more, put into the objects by hand, must not work there either: then none is too narrow.
"""

import unittest

import report
import workloads
from control_plane import ApiError, ControlPlane, eventually
from stage import stage
from workloads import Refused, compile_spec, merged

LONGEST_TRIED = 300
TABLE = report.Table("limits of names")

BASE = {
    "apiVersion": "flexslice/v1", "name": "t", "cluster": {"name": "c", "location": "us-east5"},
    "tpu": {"type": "v6e", "topology": "2x2"}, "provisioning": {"model": "on-demand", "zones": ["us-east5-b"], "nodePool": "pool"},
    "workload": {"image": "busybox", "command": ["run"]},
}
AUTOPILOT = {"cluster": {"mode": "autopilot"}, "provisioning": {"model": "spot", "zones": None, "nodePool": None}}
QUEUE = {"provisioning": {"queue": "queue"}}
SLICES = {"tpu": {"topology": "4x4", "slices": 2}}
JOBSET = {"workload": {"kind": "jobset"}}


def tearDownModule():
    TABLE.finish()


def tpu(topology, **more):
    return {"tpu": {"topology": topology, "machineType": "ct6e-standard-4t"} | more}


# title, what is laid over the base, the name that grows, whether the server is who limits it
ROWS = [
    ("Job, one host", tpu("2x2"), "name", True),
    ("Job, one host, Autopilot", AUTOPILOT, "name", True),
    ("Job, 2 hosts", tpu("2x4"), "name", True),
    ("Job, 16 hosts", tpu("8x8"), "name", True),
    ("Job, 4 hosts, Autopilot", merged(AUTOPILOT, {"tpu": {"topology": "4x4"}}), "name", True),
    ("Job, 2 hosts, queue", merged(tpu("2x4"), QUEUE), "name", True),
    ("Job, 2 hosts, queued provisioning", merged(tpu("2x4"), QUEUE, {"provisioning": {"model": "flex-start-queued"}}), "name", True),
    ("JobSet, one host", merged(tpu("2x2"), JOBSET), "name", True),
    ("JobSet, 2 hosts", merged(tpu("2x4"), JOBSET), "name", True),
    ("JobSet, 16 hosts", merged(tpu("8x8"), JOBSET), "name", True),
    ("JobSet, 2 slices", SLICES, "name", True),
    ("JobSet, 12 slices of 2 hosts", tpu("2x4", slices=12), "name", True),
    ("JobSet, 2 slices, Autopilot", merged(AUTOPILOT, SLICES), "name", True),
    ("JobSet, 2 slices, queue", merged(SLICES, QUEUE), "name", True),
    ("node pool", tpu("2x4"), "provisioning.nodePool", False),
    ("node pools of 12 slices", tpu("2x4", slices=12), "provisioning.nodePool", False),
    ("node pool after the name", merged(tpu("2x4"), {"provisioning": {"nodePool": None}}), "name", False),
    ("namespace", tpu("2x2"), "namespace", True),
    ("queue", merged(tpu("2x4"), QUEUE), "provisioning.queue", True),
    ("queue with queued provisioning", merged(tpu("2x4"), QUEUE, {"provisioning": {"model": "flex-start-queued"}}), "provisioning.queue", True),
]


def with_name(spec, field, name):
    """The spec with a name in a field such as `provisioning.queue`."""
    change = name
    for part in reversed(field.split(".")):
        change = {part: change}
    return merged(spec, change)


class Names(unittest.TestCase):
    """Every row, one after the other: the names are those of the whole cluster's objects."""

    @classmethod
    def setUpClass(cls):
        cls.plane = cls.enterClassContext(ControlPlane())

    def longest(self, spec, field):
        """The longest name that compiles, with its artifacts; and the refusal of the next."""
        low, high, made, refused = 0, LONGEST_TRIED, None, None
        while high - low > 1:
            middle = (low + high) // 2
            try:
                made, low = compile_spec(with_name(spec, field, "n" * middle)), middle
            except Refused as error:
                refused, high = error, middle
        self.assertIsNotNone(made)
        self.assertIsNotNone(refused, f"a name of {LONGEST_TRIED} characters is accepted")
        return "n" * low, made, refused

    def check_hosts(self, made, pods):
        """Where there is a Service, every pod has a host name in its domain, and no two have the same."""
        subdomain = pods[0]["spec"].get("subdomain")
        if subdomain is None:
            return
        names = {pod["spec"]["hostname"] for pod in pods}
        self.assertEqual(len(names), len(pods))
        self.assertLessEqual(max(map(len, names)), 63)
        eventually(lambda: made.published(self.plane, subdomain) >= names, "the Service does not publish all hosts")

    def one_more(self, made, name):
        """What is wrong on the server with the objects of the longest name and a character more; None where they work."""
        longer = name + "n"
        texts = [path.read_text(encoding="utf-8").replace(name, longer) for path in made.files()]
        if made.namespace == name and self.plane.kubectl("create", "namespace", longer, check=False).returncode:
            return "no such namespace"
        selector = f"{workloads.POD_LABELS[made.controller['kind']]}={made.name.replace(name, longer)}"
        try:
            for text in texts:
                run = self.plane.kubectl("apply", "-f", "-", stdin=text, check=False)
                if run.returncode:
                    return run.stderr
            eventually(lambda: sum("nodeName" in pod["spec"] for pod in self.plane.list(
                "pods", made.namespace.replace(name, longer), labels=selector)) == made.pods_wanted(), "pods are missing", 10)
            return None
        except (AssertionError, ApiError) as error:
            return str(error)
        finally:
            for text in texts:
                self.plane.kubectl("delete", "--ignore-not-found", "-f", "-", stdin=text, check=False)
            eventually(lambda: not self.plane.list("pods"), "pods are still there")

    def check(self, spec, field, servers):
        name, made, refused = self.longest(spec, field)
        self.assertIn("error[", refused.text)
        with stage(self.plane, made) as (gke, arguments):
            gke.provision(made.commands())
            self.plane.kubectl("apply", *arguments)
            self.check_hosts(made, made.wait_started(self.plane))
            self.plane.kubectl("delete", *arguments)
            eventually(lambda: not made.pods(self.plane), "pods are still there")
            gke.scale_to_zero()
            return name, self.one_more(made, name) if servers else None

    def test_limits(self):
        for title, change, field, servers in ROWS:
            with self.subTest(title):
                result = "FAILED"
                try:
                    name, more = self.check(merged(BASE, change), field, servers)
                    result = f"{len(name)} characters start"
                    if servers:
                        self.assertIsNotNone(more, f"{title}: a name of {len(name) + 1} characters works, too")
                        result += f"; {len(name) + 1}: refused by flexslice and by the server"
                    else:
                        result += f"; {len(name) + 1}: refused by flexslice (GKE's limit)"
                finally:
                    TABLE.row(f"{title}: {field}", result)


if __name__ == "__main__":
    unittest.main()
