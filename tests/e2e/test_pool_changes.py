"""The rows of node pools in the table of changes, against the real gcloud: what it can change in place, and what it cannot.

GKE itself may refuse what gcloud sends; such fields are named here, and their rows say so.
"""

import shlex
import subprocess
import unittest

import yaml

from artifacts import FLEXSLICE, ROOT
from expectations import on_demand
from fake_google import FakeGoogle
from life import ScriptCase
from sandbox import Sandbox

POOL = "projects/test-project/locations/us-east5/clusters/c/nodePools/p"
DATA = ROOT / "src/catalog/data"
ROWS = [row for row in yaml.safe_load((DATA / "changes.yaml").read_text(encoding="utf-8"))["changes"] if row["resource"] == "node pool"] + [
    {**row, "fields": [row["field"]]} for row in yaml.safe_load((DATA / "pool_flags.yaml").read_text(encoding="utf-8"))["poolFlags"]]
UPDATE = "node-pools update p --cluster=c --quiet --location=us-east5 "
RESIZE = "clusters resize c --node-pool=p --quiet --location=us-east5 "
SCALING, ZONES = UPDATE + "--enable-autoscaling --min-nodes=0 --max-nodes=4 --location-policy=ANY", UPDATE + "--node-locations=us-east5-a,us-east5-b"
AUTOSCALING = {"autoscaling": {"enabled": True, "minNodeCount": 0, "maxNodeCount": 4, "locationPolicy": "ANY"}}
BOTH_ZONES = {"locations": ["us-east5-a", "us-east5-b"]}
NODE_LABELS = (UPDATE + "--node-labels=a=b", {"labels": {"labels": {"a": "b"}}})
FLEX_START = (UPDATE + "--flex-start", {"flexStart": True})
MACHINE = (UPDATE + "--machine-type=ct6e-standard-4t", {"machineType": "ct6e-standard-4t"})
# A field of a plan -> the command for another value and what it sends, or None where gcloud has none.
COMMANDS = {
    "nodes": (RESIZE + "--num-nodes=2", {"nodeCount": 2}), "initialNodes": (RESIZE + "--num-nodes=2", {"nodeCount": 2}),
    "autoscale": (SCALING, AUTOSCALING), "minNodes": (SCALING, AUTOSCALING),
    "zones": (ZONES, BOTH_ZONES), "zoneList": (ZONES, BOTH_ZONES), "scaling": (SCALING, AUTOSCALING), "locationPolicy": (SCALING, AUTOSCALING),
    "labels": NODE_LABELS, "labelList": NODE_LABELS, "nodeLabels": NODE_LABELS,
    "autoRepair": (UPDATE + "--no-enable-autorepair", {"management": {"autoRepair": False, "autoUpgrade": True}}),
    "owner": (UPDATE + "--labels=team=a", {"resourceLabels": {"labels": {"team": "a"}}}), "resourceLabels": (UPDATE + "--labels=team=a", {"resourceLabels": {"labels": {"team": "a"}}}),
    "diskSize": (UPDATE + "--disk-size=200GB", {"diskSizeGb": "200"}), "diskType": (UPDATE + "--disk-type=pd-ssd", {"diskType": "pd-ssd"}),
    "maxPodsPerNode": (UPDATE + "--max-pods-per-node=32", None), "nodeServiceAccount": (UPDATE + "--service-account=n@p.iam.gserviceaccount.com", None),
    "maxRunSeconds": (UPDATE + "--max-run-duration=3600s", {"maxRunDuration": "3600s"}), "flexStart": FLEX_START, "machineType": MACHINE,
    "tpuTopology": (UPDATE + "--tpu-topology=4x4", None), "topology": (UPDATE + "--tpu-topology=4x4", None),
    "placementPolicy": (UPDATE + "--placement-policy=other", None), "spot": (UPDATE + "--spot", None), "model": (UPDATE + "--spot", None),
    "reservation": (UPDATE + "--reservation=other", None), "reservationAffinity": (UPDATE + "--reservation-affinity=specific", None),
}
DERIVED = {"nodesByTopology", "nodesCertain"}  # follow from others
# What gcloud sends although the row says that a new pool is needed.
LEFT_TO_GKE = {"nodes", "initialNodes", "zones", "zoneList", "scaling", "locationPolicy", "maxRunSeconds", "flexStart", "machineType"}


class PoolChanges(ScriptCase):
    def test_every_field(self):
        fields = {name for row in ROWS for name in row["fields"]}
        self.assertEqual(fields, COMMANDS.keys() | DERIVED)
        recreated = {name for row in ROWS if row["result"] == "recreate" for name in row["fields"]} - DERIVED
        self.assertEqual({name for name in recreated if COMMANDS[name][1]}, LEFT_TO_GKE)
        self.assertEqual({name for name, (_, sent) in COMMANDS.items() if sent is None}, recreated - LEFT_TO_GKE)
        for row in ROWS:
            if row["result"] == "recreate" and not LEFT_TO_GKE.isdisjoint(row["fields"]):
                self.assertNotIn("gcloud container node-pools update cannot", row["why"])
        self.all_at_once(self.check, sorted({each[0] for each in COMMANDS.values()}))

    def check(self, command):
        """The real gcloud sends the new value to the pool that there is, or has no such flag."""
        [sent] = {str(each): each for line, each in COMMANDS.values() if line == command}.values()
        with FakeGoogle() as fake, Sandbox(fake) as sandbox:
            fake.add_cluster("c", "us-east5")
            fake.add_node_pool(cluster="c", location="us-east5", **on_demand("p", "us-east5-b", "ct6e-standard-8t", 1))
            done = sandbox.run("gcloud", "container", *shlex.split(command))
            writes = [request for request in fake.requests if request.method != "GET"]
            if sent is None:
                self.assertEqual((done.returncode, writes), (2, []), done.stderr)
                self.assertIn("unrecognized arguments", done.stderr)
                return
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual([(request.path[4:].partition(":")[0] in (POOL, POOL.partition("/nodePools")[0])) for request in writes], [True])
            self.assertEqual({key: fake.node_pools[POOL].get(key) for key in sent}, sent)
            self.assertEqual(list(fake.node_pools), [POOL])

    def test_migrate_does_them(self):
        """What gcloud can change while pods run, migrate.sh changes, and deletes no pool for it."""
        text = (ROOT / "examples/fine-tune/spec.yaml").read_text(encoding="utf-8")
        self.assertIn("us-east5-a, us-east5-b", text)
        (self.directory / "old.yaml").write_text(text, encoding="utf-8")
        for name, new, flag in (
                ("zones", text.replace("us-east5-a, us-east5-b", "us-east5-b"), "--node-locations=us-east5-b"),
                ("most", text.replace("maxNodes: 2", "maxNodes: 1"), "--max-nodes=1"),
                ("disks", text.replace("  maxNodes: 2", "  maxNodes: 2\n  diskSize: 300Gi"), "--disk-size=300GB")):
            with self.subTest(name):
                (self.directory / "new.yaml").write_text(new, encoding="utf-8")
                done = subprocess.run([FLEXSLICE, "diff", "--emit", "migrate", self.directory / "old.yaml", self.directory / "new.yaml"],
                                      capture_output=True, encoding="utf-8", check=False)
                self.assertEqual((done.returncode, done.stderr), (1, ""))
                self.assertIn("gcloud container node-pools update fine-tune-pool", done.stdout)
                self.assertIn(flag, done.stdout)
                self.assertNotIn("node-pools delete", done.stdout)


if __name__ == "__main__":
    unittest.main()
