"""The laws of a life: whatever specs share, whatever is done with them in whatever order, and wherever a script stops.

A life that breaks a law is cut to what it needs and printed as shell commands; `python3 test_lives.py SEED` prints one.
"""

import os
import sys
import tempfile
import unittest

from jsonpath import accepts, expand, project
from lives import Broken, Lives, commands, random_life, shrunk

PROGRAM = os.environ.get("FLEXSLICE", "build/dev/flexslice")
COUNT = int(os.environ.get("FLEXSLICE_LIVES", "30"))


def broken_lives(seeds):
    """A text for each life that breaks a law."""
    with tempfile.TemporaryDirectory() as directory:
        lives = Lives(PROGRAM, directory)
        try:
            for seed in seeds:
                try:
                    lives.live(random_life(seed))
                except Broken as broken:
                    yield f"seed {seed}: {broken}\n{commands(shrunk(lives, random_life(seed), broken))}"
        finally:
            lives.stage.close()


class TestLives(unittest.TestCase):
    def test_laws(self):
        broken = []
        for text in broken_lives(range(COUNT)):
            broken.append(text)
            if len(broken) == 3:
                break
        self.assertEqual([], broken, "\n\n".join(broken))


def server(name="serve", namespace="team-b", claim=None, **pool):
    volumes = {"volumes": [{"name": "out", "mountPath": "/out", "pvc": claim}]} if claim else {}
    return {"apiVersion": "flexslice/v1", "name": name, "namespace": namespace, "cluster": {"name": "main", "location": "us-east5", "project": "acme"},
            "tpu": {"type": "v6e", "topology": "2x2"}, "provisioning": {"model": "on-demand", "zones": ["us-east5-b"], **pool},
            "workload": {"kind": "deployment", "image": "a.io/b:1", "command": ["python", "t.py"], "ports": [8000],
                         "readinessProbe": {"httpGet": {"path": "/", "port": 8000}}, **volumes}}


def with_ports(spec):
    return {**spec, "workload": {**spec["workload"], "ports": [8000, 9000]}}


def job(name):
    return {**server(name, nodePool="mine"), "workload": {"image": "a.io/b:1", "command": ["python", "t.py"]}}


def spot(spec, **work):
    return {**spec, "provisioning": {**spec["provisioning"], "model": "spot"}, "workload": {**spec["workload"], **work}}


STARTED = [{"do": "provision", "spec": 0}, {"do": "apply", "spec": 0}]
SHARED = {"name": "out", "size": "500Gi", "class": "standard-rwx"}
# Each broke a law.
KNOWN = {
    "a Service that was never applied is not created by its change": ([server()], [{"do": "change", "spec": 0, "to": with_ports(server())}]),
    "a server moves to a new pool with a claim of shared storage": (
        [server(claim=SHARED)], [*STARTED, {"do": "change", "spec": 0, "to": server(claim=SHARED, nodePool="other")}]),
    "another name, and the pool of that name": (
        [job("train")], [STARTED[0], {"do": "change", "spec": 0, "to": job("tune")}]),
    "a queue that other specs have": (
        [server(), server(namespace="team-a", model="spot")],
        [{"do": "change", "spec": 0, "to": server(queue="q")}, {"do": "change", "spec": 1, "to": server(namespace="team-a", model="spot", queue="q")}]),
    "another change after a migration that was stopped with its Job deleted": (
        [job("train"), {**job("tune"), "namespace": "team-a"}],
        [*STARTED, {"do": "apply", "spec": 1}, {"do": "change", "spec": 0, "to": spot(job("train"))},
         {"do": "change", "spec": 0, "to": spot(job("train"), ttlAfterFinished="1h")}]),
    "a variable less of what the server applied": (
        [server(claim=SHARED)], [STARTED[0], {"do": "apply", "spec": 0, "server": True}, {"do": "change", "spec": 0, "to": with_ports(server(claim=SHARED))}]),
    "a node more": ([job("train")], [*STARTED, {"do": "change", "spec": 0, "to": {**job("train"), "tpu": {**job("train")["tpu"], "slices": 2}}}]),
    "a reservation is billed where the script stops": (
        [server(model="reservation", reservation="block")],
        [*STARTED, {"do": "change", "spec": 0, "to": server(model="reservation", reservation="block", nodePool="other"), "fail": [3, "before"]}]),
}


def made(spec):
    return {**spec, "cluster": {**spec["cluster"], "create": True}}


class TestClusters(unittest.TestCase):
    """cleanup.sh leaves a cluster that it made while others or claims are in it, and the laws see where it does not."""

    def end(self, specs, without_check):
        """The clusters that are left."""
        with tempfile.TemporaryDirectory() as directory:
            lives = Lives(PROGRAM, directory)
            try:
                if without_check:
                    script = lives.compiler.scripts(specs[0]) / "cleanup.sh"
                    text = script.read_text(encoding="utf-8")
                    self.assertIn("\nunused_cluster() {\n", text)
                    script.write_text(text.replace("\nunused_cluster() {\n", "\nunused_cluster() {\n  return 0\n"), encoding="utf-8")
                lives.live({"specs": specs, "steps": [{"do": do, "spec": i} for i in range(len(specs)) for do in ("provision", "apply")] + [{"do": "cleanup", "spec": 0}]})
                return sorted(lives.stage.world.clusters)
            finally:
                lives.stage.close()

    def test_alone(self):
        self.assertEqual([], self.end([made(server())], False))

    def test_others(self):
        specs = [made(server()), server("tune", namespace="team-a")]
        self.assertEqual(["acme/us-east5/main"], self.end(specs, False))
        with self.assertRaisesRegex(Broken, "4 others"):
            self.end(specs, True)

    def test_claims(self):
        specs = [made(server(claim=SHARED))]
        self.assertEqual(["acme/us-east5/main"], self.end(specs, False))
        with self.assertRaisesRegex(Broken, "2 data"):
            self.end(specs, True)


class TestLastLine(unittest.TestCase):
    """cleanup.sh says what stays billed, and nothing else."""

    def end(self, spec, *arguments, deny=(), status=0):
        """What cleanup.sh says of what was provisioned and applied."""
        self.lives = Lives(PROGRAM, self.enterContext(tempfile.TemporaryDirectory()))
        self.addCleanup(self.lives.stage.close)
        self.lives.live({"specs": [spec], "steps": STARTED})
        self.lives.stage.world.denied = deny
        done, said = self.lives.stage.run(self.lives.compiler.scripts(spec) / "cleanup.sh", arguments)
        self.assertEqual(status, done, said)
        return said

    def test_another_namespace(self):
        spec = {key: value for key, value in server().items() if key != "namespace"}
        said = self.end(spec, "--namespace", "other")
        self.assertIn("of serve is still billed: node pool serve-pool, which is labeled flexslice-namespace=default\n", said)
        self.assertNotIn("nothing is billed", said)

    def test_without_credentials(self):
        said = self.end(server(claim=SHARED), deny=["get-credentials"], status=1)
        self.assertIn("It cannot tell whether these are billed:\n    PersistentVolumeClaim out\n", said)

    def test_bucket(self):
        """Its claim has no disk, and does not keep a cluster."""
        bucket = {"volumes": [{"name": "b", "mountPath": "/b", "gcs": {"bucket": "bucket-a", "profile": "training"}}], "serviceAccount": "sa"}
        spec = {**server(), "workload": {**server()["workload"], **bucket}}
        self.assertIn("nothing of serve is left, so nothing is billed for it\n", self.end(spec))
        self.assertNotIn("PersistentVolumeClaim", self.end(spec, deny=["get-credentials"], status=1).partition("failed:")[2])
        self.end(made(spec))
        self.assertEqual({}, self.lives.stage.world.clusters)


class TestKnown(unittest.TestCase):
    def test_laws(self):
        with tempfile.TemporaryDirectory() as directory:
            lives = Lives(PROGRAM, directory)
            try:
                for what, (specs, steps) in KNOWN.items():
                    with self.subTest(what):
                        lives.live({"specs": specs, "steps": steps})
            finally:
                lives.stage.close()


    def test_a_claim_of_two_workloads(self):
        """It grows by the spec of one unless pods of the other mount it, or the person says that it may."""
        train, tune = ({**job(name), "workload": {**server(claim=SHARED)["workload"], "kind": "job"}} for name in ("train", "tune"))
        for each in (train, tune):
            for field in ("ports", "readinessProbe"):
                del each["workload"][field]
        larger = {**tune, "workload": {**tune["workload"], "volumes": [{"name": "out", "mountPath": "/out", "pvc": {**SHARED, "size": "600Gi"}}]}}
        for others, more, size in (([], {}, "600Gi"), ([{"do": "apply", "spec": 0}], {}, "500Gi"), ([{"do": "apply", "spec": 0}], {"flags": ["--force"]}, "600Gi")):
            with self.subTest(others=others, more=more), tempfile.TemporaryDirectory() as directory:
                lives = Lives(PROGRAM, directory)
                try:
                    lives.live({"specs": [train, tune], "steps": [*others, {"do": "apply", "spec": 1}, {"do": "change", "spec": 1, "to": larger, **more}]})
                    self.assertEqual([size], [disk["size"] for disk in lives.stage.world.disks.values()])
                finally:
                    lives.stage.close()


PLACES = {**job("train"), "places": [
    {"name": name, "for": "5m", "cluster": {"name": cluster, "location": location, "project": "acme"}, "provisioning": {"zones": [zone]}}
    for name, cluster, location, zone in (("us", "main", "us-east5", "us-east5-b"), ("asia", "far", "asia-northeast1", "asia-northeast1-b"))]}
PLACES["workload"] = {**PLACES["workload"], "volumes": [{"name": "out", "mountPath": "/out", "pvc": {"name": "out", "size": "500Gi"}}]}
del PLACES["cluster"], PLACES["provisioning"]["zones"]


class TestPlaces(unittest.TestCase):
    """run.sh, wherever it fails: no place that it gave up has nodes, and its last lines name what is billed there."""

    def setUp(self):
        self.lives = Lives(PROGRAM, self.enterContext(tempfile.TemporaryDirectory()))
        self.addCleanup(self.lives.stage.close)
        self.folder = self.lives.compiler.scripts(PLACES)
        for place in PLACES["places"]:
            (self.folder / place["name"] / "preflight.sh").write_text("exit 0\n", encoding="utf-8")

    def start(self, without=()):
        """A world with the clusters of the places; zones `without` capacity."""
        self.lives.stage.contexts = {}
        world = self.lives.stage.world = self.lives.ground([{**PLACES, **place, "provisioning": {**PLACES["provisioning"], **place["provisioning"]}} for place in PLACES["places"]])
        world.empty_zones, world.actor = set(without), [("train", "team-b", "")]
        return world

    def run_script(self, fail=None):
        status, said = self.lives.stage.run(self.folder / "run.sh", [], fail)
        world = self.lives.stage.world
        self.assertEqual([], world.broken, said)
        self.assertNotEqual(124, status, said)
        runs = {key.split("/")[2] for key in world.pools}
        self.assertLessEqual(len(runs), 1, said)
        if status == 0:
            self.assertEqual(1, len(runs), said)
        for disk in world.disks.values():
            if disk["claim"][0].split("/")[2] not in runs:
                self.assertRegex(said, r"run\.sh: (in \w+, .*PersistentVolumeClaim out of 500Gi|\w+ may still be billed)")
        return status, said, runs

    def test_places(self):
        for without, wanted in (((), {"main"}), (("us-east5-b",), {"far"}), (("us-east5-b", "asia-northeast1-b"), set())):
            with self.subTest(without=without):
                self.start(without)
                status, said, runs = self.run_script()
                self.assertEqual((bool(status), runs), (not wanted, wanted), said)

    def test_pods_without_nodes(self):
        """The claim is there before it gives up."""
        script = self.folder / "run.sh"
        text = script.read_text(encoding="utf-8")
        for slow, wanted in ((["us-east5-b"], {"far"}), (["us-east5-b", "asia-northeast1-b"], set())):
            with self.subTest(slow=slow):
                script.write_text(text.replace(" 300 ", " 5 "), encoding="utf-8")
                self.start().slow_zones = set(slow)
                status, said, runs = self.run_script()
                self.assertEqual((bool(status), runs, len(self.lives.stage.world.disks)), (not wanted, wanted, 2), said)
        script.write_text(text, encoding="utf-8")

    def test_failures(self):
        self.start(("us-east5-b",))
        self.run_script()
        calls = self.lives.stage.calls
        for number in range(1, calls + 1, 3):
            mode = ("before", "after")[number % 2]
            with self.subTest(call=number, mode=mode):
                self.start(("us-east5-b",))
                self.run_script((number, mode))
                status, said, runs = self.run_script()
                self.assertEqual((0, {"far"}), (status, runs), said)


class TestPrograms(unittest.TestCase):
    """The parts of kubectl and gcloud that the world has of its own."""

    def test_jsonpath(self):
        pods = {"items": [{"metadata": {"name": "a", "labels": {"x.y/z": "1"}}, "spec": {"ports": [{"p": 1}, {"p": 2}]}}, {"metadata": {"name": "b"}}]}
        for template, wanted in (
                ('{range .items[*]}{.metadata.name}|{.metadata.labels.x\\.y/z}{"\\n"}{end}', "a|1\nb|\n"), ("{.items[0].spec.ports[*].p}", "1 2"),
                ("{.items[0].spec.ports}", '[{"p":1},{"p":2}]'), ('{.items[?(@.metadata.name=="b")].metadata.name}', "b"), ("{.nothing[*].at}", "")):
            self.assertEqual(wanted, expand(template, pods), template)

    def test_filters(self):
        pool = {"name": "p", "status": "RUNNING", "config": {"spot": True, "resourceLabels": {"flexslice": "a"}}}
        for condition, wanted in (
                ("name~^p$", True), ("config.resourceLabels.flexslice=a", True), ("NOT config.spot=True", False), ("status=(ERROR RUNNING)", True),
                ("name~^p$ AND (NOT autoscaling.maxNodeCount:* OR autoscaling.maxNodeCount=4)", True), ("name~^q$", False)):
            self.assertEqual(wanted, accepts(condition, pool), condition)
        self.assertEqual("p\tRUNNING\ta\t", project(pool, "value(name,status,config.resourceLabels.flexslice,config.resourceLabels.flexslice-namespace)"))
        self.assertEqual("True|", project(pool, 'csv[no-heading,separator="|"](config.spot,config.flexStart)'))


if __name__ == "__main__":
    if len(sys.argv) == 2 and sys.argv[1].isdigit():
        print(*(list(broken_lives([int(sys.argv[1])])) or ["no law is broken"]))
    else:
        unittest.main()
