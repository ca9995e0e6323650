"""Queues: every workload that can have one is admitted as emitted, starts, and lets the next one start when it ends.

The table has every provisioning model, one slice and several, slices of one host and of several, Job and JobSet, Standard
and Autopilot.  A combination either is refused by the program with the code that is written down here, or works.  Each has
its own namespace, queue and node pool; all those of a cluster run at once.
"""

import itertools
import time
import unittest

import yaml

import report
import workloads
from control_plane import ALL, SECONDS, ApiError, ControlPlane, eventually
from gke import Gke
from quantities import value_of
from workloads import Refused, compile_spec, compile_specs, merged

MODELS = ("flex-start", "flex-start-queued", "spot", "on-demand", "reservation", "spot autoscaled")
SHAPES = {"single-host": "2x2", "multi-host": "2x4"}
QUIET_SECONDS = 5  # how long a workload that has to wait is watched
TABLE = report.Table("queues")

BASE = {
    "apiVersion": "flexslice/v1",
    "cluster": {"name": "c", "location": "us-east5"},
    "tpu": {"type": "v6e", "machineType": "ct6e-standard-4t"},
    "provisioning": {"zones": ["us-east5-b"]},
    "workload": {"image": "busybox", "command": ["run"], "resources": {"cpu": "1500m", "memory": "1.5Gi"}},
}


def tearDownModule():
    TABLE.finish()


def spec_of(model, slices, shape, kind, mode, unique):
    """The spec of a row; `unique` names its namespace, queue and pool."""
    spec = merged(BASE, {
        "name": "first", "namespace": unique, "tpu": {"topology": SHAPES[shape], "slices": slices},
        "provisioning": {"model": model.split()[0], "queue": unique, "nodePool": unique}, "workload": {"kind": kind}})
    if model.endswith(" autoscaled"):
        spec = merged(spec, {"provisioning": {"autoscale": True}})
    if model == "reservation":
        spec = merged(spec, {"provisioning": {"reservation": "capacity"}})
    if mode == "autopilot":
        spec = merged(spec, {"cluster": {"mode": "autopilot"}, "provisioning": {"zones": None, "nodePool": None},
                             "tpu": {"machineType": None if shape == "single-host" else "ct6e-standard-4t"}})
    return spec


def refusal(model, slices, shape, kind, mode):
    """The code with which a combination is refused, or None."""
    if mode == "autopilot" and model == "flex-start-queued":
        return "FS3018"  # Autopilot has no queued provisioning
    if mode == "autopilot" and model.endswith(" autoscaled"):
        return "FS4006"  # GKE makes the nodes itself
    if slices > 1 and shape == "single-host" and kind == "jobset":
        return "FS4014"  # Multislice joins slices of several hosts
    if slices > 1 and kind == "job" and shape != "single-host":
        return "FS4015"  # a Job is one slice, or several of one host
    if slices > 1 and shape != "single-host" and model == "flex-start-queued":
        return "FS4045"  # one request for nodes is for one node pool, and each slice of several hosts has its own
    return None


class Row:
    """A combination that works, and where its two workloads are."""

    def __init__(self, title, spec):
        self.title, self.problem = title, None
        self.first = compile_spec(spec)
        self.second = compile_spec(merged(spec, {"name": "second"}))

    def step(self, work):
        """Does the next step unless an earlier one failed."""
        if self.problem is None:
            try:
                work()
            except (AssertionError, ApiError) as error:
                self.problem = str(error)


class Combinations(unittest.TestCase):
    """Base: the combinations of one cluster mode."""

    mode = None

    @classmethod
    def setUpClass(cls):
        cls.plane = cls.enterClassContext(ControlPlane())
        cls.gke = cls.enterClassContext(Gke(cls.plane, autopilot=cls.mode == "autopilot"))

    def tearDown(self):
        self.assertEqual(self.gke.trouble, [])

    def rows(self):
        rows = []
        for number, (model, slices, shape, kind) in enumerate(itertools.product(MODELS, (1, 2), SHAPES, ("job", "jobset"))):
            combination = (model, slices, shape, kind, self.mode)
            title = f"{self.mode}, {model}, {slices} × {shape}, {kind}"
            spec, code = spec_of(*combination, f"q{number}"), refusal(*combination)
            with self.subTest(title):
                if code is None:
                    rows.append(Row(title, spec))
                    continue
                with self.assertRaises(Refused) as caught:
                    compile_spec(spec)
                self.assertIn(code, workloads.codes(caught.exception))
                TABLE.row(title, f"refused, {code}")
        return rows

    def check_rows(self, rows):
        """Takes every row through its life, all at the same time."""
        plane, gke = self.plane, self.gke

        def first(row):
            workloads.prepare(plane, row.first)
            gke.provision(row.first.commands())
            plane.kubectl("apply", "-f", row.first.path("queues.yaml"), "-f", row.first.path("manifests.yaml"))

        def second(row):
            plane.kubectl("apply", "-f", row.second.path("manifests.yaml"))

        def waits(row):
            assert row.second.suspended(plane), f"the second starts beside the first\n{row.second.why(plane)}"
            assert not row.second.pods(plane), "the second has pods"

        steps = [first, lambda row: row.first.wait_started(plane, left()), second,
                 lambda row: time.sleep(QUIET_SECONDS / len(rows)), waits,
                 lambda row: gke.finish(row.first.namespace, row.first.name), lambda row: row.first.wait_complete(plane, left()),
                 lambda row: row.second.wait_started(plane, left()),
                 lambda row: gke.finish(row.second.namespace, row.second.name), lambda row: row.second.wait_complete(plane, left())]
        for step in steps:
            end = time.monotonic() + SECONDS  # all rows have been waiting since the step began

            def left(end=end):
                return max(1, end - time.monotonic())

            for row in rows:
                row.step(lambda step=step, row=row: step(row))
        for row in rows:
            with self.subTest(row.title):
                TABLE.row(row.title, "FAILED" if row.problem else "admitted; second waits, then starts")
                self.assertIsNone(row.problem)


class OfOthers(unittest.TestCase):
    """`topology: none`: a queue that somebody else made, whose flavor has no Kueue topology."""

    @classmethod
    def setUpClass(cls):
        cls.plane = cls.enterClassContext(ControlPlane())
        cls.gke = cls.enterClassContext(Gke(cls.plane))

    def tearDown(self):
        self.assertEqual(self.gke.trouble, [])

    def specs(self, unique, kind, slices):
        """A spec that makes its node pools, and one that runs on those of others."""
        own = {"name": "own", "namespace": unique, "tpu": {"topology": "2x4", "slices": slices}, "workload": {"kind": kind},
               "provisioning": {"model": "on-demand", "queue": {"name": unique, "topology": "none"}}}
        return [merged(BASE, own), merged(BASE, own, {"name": "theirs", "provisioning": {"create": False, "zones": None}})]

    def test_admitted_with_pools_and_without(self):
        for unique, kind, slices in (("o0", "job", 1), ("o1", "jobset", 1), ("o2", "jobset", 2)):
            with self.subTest(kind=kind, slices=slices):
                own, theirs = [compile_spec(each) for each in self.specs(unique, kind, slices)]
                self.assertFalse(own.queued or theirs.queued)
                workloads.prepare(self.plane, own)
                self.gke.provision(own.commands())
                # As many pools again, which other workloads of the queue may find.
                self.gke.provision(compile_spec(merged(own.spec, {"name": "more"})).commands())
                for each in (own, theirs):
                    self.plane.kubectl("apply", "--server-side", "-f", each.path("manifests.yaml"))
                for each in (own, theirs):
                    each.wait_started(self.plane)
                for each in (own, theirs):
                    self.gke.finish(each.namespace, each.name)
                    each.wait_complete(self.plane)
                self.gke.remove_pools()
                TABLE.row(f"queue of others, {kind}, {slices} × multi-host", "admitted, each slice on a node pool of its own")

    def test_a_request_for_a_topology_is_never_admitted(self):
        """Which preflight says before."""
        theirs = compile_spec(self.specs("o3", "job", 1)[0])
        workloads.prepare(self.plane, theirs)
        asking = compile_spec(merged(theirs.spec, {"provisioning": {"queue": "o3"}}))
        self.gke.provision(asking.commands())
        self.plane.kubectl("apply", "--server-side", "-f", asking.path("manifests.yaml"))
        self.assertIn("does not support TopologyAwareScheduling",
                      eventually(lambda: why if "Topology" in (why := asking.why(self.plane)) else None, "Kueue says nothing"))
        self.assertTrue(asking.suspended(self.plane))


class Standard(Combinations):
    """Node pools that provision.sh creates."""

    mode = "standard"

    def test_every_combination(self):
        self.check_rows(self.rows())

    def test_several_specs_with_one_queue(self):
        """One ClusterQueue for all specs of a run: the quota of all pools, once where specs share one."""
        own = {"namespace": "shared", "provisioning": {"queue": "shared", "model": "spot"}}
        slices = [
            {"name": "big", "tpu": {"topology": "4x4"}, "provisioning": {"nodePool": "big"}},
            {"name": "same-pool", "tpu": {"topology": "4x4"}, "provisioning": {"nodePool": "big", "create": False}},
            {"name": "small", "tpu": {"topology": "2x2"}, "provisioning": {"nodePool": "small", "model": "flex-start"}},
            {"name": "eight", "tpu": {"topology": "2x4", "machineType": "ct6e-standard-8t"}, "provisioning": {"nodePool": "eight"}},
            {"name": "two-hosts", "tpu": {"topology": "2x4"}, "provisioning": {"nodePool": "two-hosts"}},
            {"name": "reserved-a", "tpu": {"topology": "2x4"},
             "provisioning": {"nodePool": "ra", "model": "reservation", "reservation": "a"}},
            {"name": "reserved-b", "tpu": {"topology": "2x4"},
             "provisioning": {"nodePool": "rb", "model": "reservation", "reservation": "b"}},
            {"name": "asking", "tpu": {"topology": "2x4"}, "provisioning": {"nodePool": "asking", "model": "flex-start-queued"}},
            {"name": "with-helpers", "tpu": {"topology": "2x2"}, "provisioning": {"nodePool": "helpers"}, "workload": {
                "initContainers": [{"name": "fetch", "image": "busybox", "resources": {"requests": {"cpu": "3", "memory": "4Gi"}}}],
                "sidecars": [{"name": "logs", "image": "busybox",
                              "resources": {"requests": {"cpu": "250m", "ephemeral-storage": "1Gi"}}}]}},
        ]
        made = compile_specs([merged(BASE, own, each) for each in slices])
        self.check_one_queue(made, [each for each in made if each.name != "same-pool"], [made[1]], made[0])

    def test_jobset_and_job_in_one_queue(self):
        """Kinds do not matter to a queue."""
        own = {"namespace": "kinds", "provisioning": {"queue": "kinds", "model": "on-demand"}, "tpu": {"topology": "2x4"}}
        made = compile_specs([merged(BASE, own, each) for each in (
            {"name": "one", "provisioning": {"nodePool": "one"}},
            {"name": "several", "tpu": {"slices": 2}, "provisioning": {"nodePool": "several"}})])
        self.check_one_queue(made, made, [], None)

    def check_one_queue(self, made, at_once, waiting, before):
        """Applies all, sees those `at_once` start and those `waiting` start when `before` ends."""
        for each in made:
            workloads.prepare(self.plane, each)
            self.gke.provision(each.commands())
        texts = {each.path("queues.yaml").read_text(encoding="utf-8").split("---", 1)[1] for each in made}
        self.assertEqual(len(texts), 1, "every queues.yaml of the run has the whole queue")
        self.plane.kubectl("apply", "-f", made[0].path("queues.yaml"))
        again = self.plane.kubectl("apply", "-f", made[-1].path("queues.yaml")).stdout
        self.assertEqual([line for line in again.splitlines() if not line.endswith("unchanged")], [])
        for each in at_once:
            self.plane.kubectl("apply", "-f", each.path("manifests.yaml"))
        for each in at_once:
            each.wait_started(self.plane)
        for each in waiting:
            self.plane.kubectl("apply", "-f", each.path("manifests.yaml"))
        time.sleep(QUIET_SECONDS)
        for each in waiting:
            self.assertTrue(each.suspended(self.plane), each.why(self.plane))
        if before:
            self.gke.finish(before.namespace, before.name)
        for each in waiting:
            each.wait_started(self.plane)
        TABLE.row(f"one queue for {', '.join(each.name for each in made)}", "all start; who shares a pool waits for it")


class Autopilot(Combinations):
    """Nodes that GKE makes because pods wait for them."""

    mode = "autopilot"

    def test_every_combination(self):
        self.check_rows(self.rows())

    def test_node_lifetimes_differ(self):
        """Two lifetimes of nodes are two flavors."""
        spec = merged(BASE, {
            "namespace": "lives", "cluster": {"mode": "autopilot"}, "tpu": {"topology": "2x4"},
            "provisioning": {"zones": None, "queue": "lives", "model": "flex-start"}})
        made = compile_specs([merged(spec, {"name": f"for-{hours}h", "provisioning": {"maxRunDuration": f"{hours}h"}})
                              for hours in (2, 4)])
        for each in made:
            workloads.prepare(self.plane, each)
            self.plane.kubectl("apply", "-f", each.path("queues.yaml"), "-f", each.path("manifests.yaml"))
        for each in made:
            each.wait_started(self.plane)
        TABLE.row("autopilot, flex-start, two maxRunDurations in one queue", "both start")


# Ways to submit a RayJob, and the pods that Kueue counts besides those of the cluster of Ray.
SUBMISSIONS = {
    "default": ({}, 1),
    "K8sJobMode": ({"submissionMode": "K8sJobMode"}, 1),
    "K8sJobMode with its own template": ({"submitterPodTemplate": {"spec": {"restartPolicy": "Never", "containers": [
        {"name": "submit", "image": "busybox", "resources": {"requests": {"cpu": "250m", "memory": "100Mi"}}}]}}}, 1),
    "HTTPMode": ({"submissionMode": "HTTPMode"}, 0),
    "InteractiveMode": ({"submissionMode": "InteractiveMode"}, 0),
    "SidecarMode": ({"submissionMode": "SidecarMode"}, 0),
}


class RayJobs(unittest.TestCase):
    """The quota has room for all that Kueue counts of a RayJob, and for no more; then it starts."""

    @classmethod
    def setUpClass(cls):
        cls.plane = cls.enterClassContext(ControlPlane(ALL))
        cls.gke = cls.enterClassContext(Gke(cls.plane))

    def tearDown(self):
        self.assertEqual(self.gke.trouble, [])

    def workload(self, made):
        """What Kueue has made of it, with its conditions: {type: (status, message)}."""
        for each in self.plane.list("workloads", made.namespace):
            if any(owner["name"] == made.name for owner in each["metadata"].get("ownerReferences", [])):
                conditions = each.get("status", {}).get("conditions", [])
                return each, {each["type"]: (each["status"], each["message"]) for each in conditions}
        return None, {}

    def check_waits(self, made):
        """It is looked at, and held."""
        eventually(lambda: "QuotaReserved" in self.workload(made)[1], lambda: made.why(self.plane))
        time.sleep(QUIET_SECONDS)
        self.assertEqual(self.workload(made)[1]["QuotaReserved"][0], "False", "admitted with less than the quota")
        self.assertTrue(made.suspended(self.plane))

    def admitted(self, made):
        """Waits until it is released; returns the workload."""
        eventually(lambda: self.workload(made)[1].get("Admitted", [""])[0] == "True" and made.suspended(self.plane) is False,
                   lambda: made.why(self.plane))
        return self.workload(made)[0]

    def short_of(self, made, resource, amount):
        """Applies the queue with so much less of a resource on nodes without chips."""
        objects = made.objects("queues.yaml")
        for flavor in objects_of(objects, "ClusterQueue")["spec"]["resourceGroups"][0]["flavors"]:
            for each in flavor["resources"] if flavor["name"] == "ordinary-nodes" else []:
                if each["name"] == resource:
                    each["nominalQuota"] = str(value_of(each["nominalQuota"]) - value_of(amount))
        self.plane.kubectl("apply", "-f", "-", stdin=yaml.safe_dump_all(objects))

    def check(self, number, submission, added):
        unique = f"ray-{number}"
        spec = merged(BASE, {
            "name": "first", "namespace": unique, "tpu": {"topology": "2x4"},
            "provisioning": {"model": "on-demand", "queue": unique, "nodePool": unique},
            "workload": {"kind": "rayjob", "command": None, "script": "run", "ray": {"version": "2.51.0"}},
            "patches": [{"target": {"kind": "RayJob"}, "merge": {"spec": submission}}]})
        first, second = compile_spec(spec), compile_spec(merged(spec, {"name": "second"}))
        workloads.prepare(self.plane, first)
        self.gke.provision(first.commands())
        self.short_of(first, "cpu", "100m")
        self.plane.kubectl("apply", "--server-side", "-f", first.path("manifests.yaml"))
        self.check_waits(first)
        self.short_of(first, "memory", "1Mi")
        self.check_waits(first)

        self.plane.kubectl("apply", "-f", first.path("queues.yaml"))
        workload = self.admitted(first)
        first.wait_started(self.plane)
        self.assertEqual(len(workload["spec"]["podSets"]), 2 + added)
        used, quota = used_of(workload), quota_of(objects_of(first.objects("queues.yaml"), "ClusterQueue"))
        self.assertEqual(used, quota)

        self.plane.kubectl("apply", "--server-side", "-f", second.path("manifests.yaml"))
        self.check_waits(second)
        self.plane.kubectl("delete", "-f", first.path("manifests.yaml"))
        self.admitted(second)
        second.wait_started(self.plane)

    def test_every_submission_mode(self):
        for number, (title, (submission, added)) in enumerate(SUBMISSIONS.items()):
            with self.subTest(title):
                result = "FAILED"
                try:
                    self.check(number, submission, added)
                    result = "admitted with the quota as written, and not with less; second waits, then starts"
                finally:
                    TABLE.row(f"standard, on-demand, rayjob, {title}", result)


def objects_of(objects, kind):
    """The only object of a kind."""
    [found] = [each for each in objects if each["kind"] == kind]
    return found


def quota_of(queue):
    """{(flavor, resource): amount} of a ClusterQueue, without what is 0."""
    [group] = queue["spec"]["resourceGroups"]
    every = {(flavor["name"], each["name"]): value_of(each["nominalQuota"]) for flavor in group["flavors"] for each in flavor["resources"]}
    return {key: amount for key, amount in every.items() if amount}


def used_of(workload):
    """{(flavor, resource): amount} that a workload was admitted with, without what is 0."""
    used = {}
    for pods in workload["status"]["admission"]["podSetAssignments"]:
        for resource, flavor in pods["flavors"].items():
            used[flavor, resource] = used.get((flavor, resource), 0) + value_of(pods["resourceUsage"][resource])
    return {key: amount for key, amount in used.items() if amount}


if __name__ == "__main__":
    unittest.main()
