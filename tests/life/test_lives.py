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
COUNT = int(os.environ.get("FLEXSLICE_LIVES", "50"))


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
    "a reservation is billed where the script stops": (
        [server(model="reservation", reservation="block")],
        [*STARTED, {"do": "change", "spec": 0, "to": server(model="reservation", reservation="block", nodePool="other"), "fail": [3, "before"]}]),
}


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
