"""lint and the scheduler agree: of single changes of what compile makes of the examples, the pods that `lint --placement` calls
placed are bound to nodes, and of those that it calls never some stay Pending.

The nodes are those that the changed commands create at most.  FLEXSLICE_PLACEMENTS is the number of changes that are tried, and
FLEXSLICE_PLACEMENT_TITLES a regular expression for those.
"""

import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import yaml

import report
import workloads
from control_plane import ALL, SECONDS, ControlPlane
from gke import Gke
from nodes import GKE, TPU, chips_of
from workloads import FILES, FLEXSLICE, ROOT, Artifacts

sys.path.insert(0, str(ROOT / "tests/slips"))
sys.path.insert(0, str(ROOT / "tests/golden"))
import expected  # noqa: E402
import slips  # noqa: E402

NUMBER = int(os.environ.get("FLEXSLICE_PLACEMENTS", "200"))
ONLY = os.environ.get("FLEXSLICE_PLACEMENT_EXAMPLES", "").split()
SEED = int(os.environ.get("FLEXSLICE_PLACEMENT_SEED", "1"))
TITLES = os.environ.get("FLEXSLICE_PLACEMENT_TITLES", "")
TABLE = report.Table("placement and the scheduler")
FIELDS = re.compile(r".*(nodeSelector|tolerations|google\.com/tpu|\.(limits|requests)|affinity|replicas|parallelism|completions|\.size|numOfHosts|exclusive-topology)(\b.*)?")
FLAGS = re.compile("name|--(machine-type|tpu-topology|num-nodes|max-nodes|node-locations|spot|flex-start|reservation|node-labels|node-taints|placement-policy|disk-size|accelerator-topology)")
# Others change the form of a file, which the server refuses.
OPERATORS = {"plus one", "minus one", "doubled", "halved", "as many as chips", "another shape", "another machine type", "another generation", "another zone",
             "another name", "another model", "a word misspelt", "a field gone", "a flag gone", "an item gone", "an annotation as label", "a label as annotation"}
MOST_NODES = 40  # of one run
STILL = 3  # seconds without a change after which nothing more happens


def tearDownModule():
    TABLE.finish()


def is_about_placement(slip):
    if slip.operator not in OPERATORS:
        return False
    if slip.kind.startswith(("container", "compute")):
        return ("node-pools" in slip.kind or "policies" in slip.kind) and FLAGS.fullmatch(slip.path)
    return FIELDS.fullmatch(slip.path)


def judged(folder):
    """The answer of lint about the files of a folder: placed, never, or None where it leaves that open or gcloud refuses a command; how many
    pods there are; and whether it reports an error besides."""
    run = subprocess.run([FLEXSLICE, "lint", "--placement", "--format", "json", "--color", "never", folder], capture_output=True, encoding="utf-8", check=False)
    findings = json.loads(run.stdout or "[]")
    wrong = {each["file"].rpartition(".")[2] for each in findings if each["level"] == "error"}
    if "sh" in wrong:
        return None, 0, True
    rows = [each["placement"] for each in findings if "placement" in each]
    states = {row["state"] for row in rows}
    numbers = [re.search(r": (\d+) pods?\b", row["pods"]) for row in rows]
    count = sum(int(each[1]) for each in numbers if each)
    if "never" in states:
        return "never", count, bool(wrong)
    return "placed" if states == {"placed"} and all(numbers) else None, count, bool(wrong)


class Change(Artifacts):
    """A folder with the files of an example, of which one has one change."""

    def __init__(self, example, slip, names, folder):
        super().__init__(folder, example.spec, "", example.source)
        self.slip, self.state, self.count, self.has_error = slip, None, 0, False
        for file, name in enumerate(names):
            text = example.made[name]
            if file == slip.file:
                text = text[:slip.begin] + slip.instead + text[slip.end:]
            (folder / name).write_text(text, encoding="utf-8")

    def title(self):
        return f"{self.source.parent.name}: {self.slip.operator}, {self.slip.kind} {self.slip.path}, {self.slip.instead[:40].strip()!r}"


class Example:
    def __init__(self, folder):
        self.source = folder / "spec.yaml"
        self.spec = yaml.safe_load_all(self.source.read_text(encoding="utf-8")).__next__()
        self.made = {name: text.decode() for name, text in expected.compile_example(folder).items() if name in (*FILES, "provision.sh")}
        self.name = folder.name

    def changes(self, folder):
        """All that may change where its pods are placed."""
        if "provision.sh" not in self.made or "node-pools create" not in self.made["provision.sh"] or "manifests.yaml" not in self.made:
            return
        names = [name for name in (*FILES, "provision.sh") if name in self.made]
        chips = chips_of(self.spec["tpu"]["topology"]) if "topology" in self.spec.get("tpu", {}) else 0
        for file, name in enumerate(names):
            for slip in slips.of(name, self.made[name], file, chips):
                if is_about_placement(slip):
                    yield slip, names


class Placement(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.plane = cls.enterClassContext(ControlPlane(ALL))

    def sample(self):
        """Changes in order of examples, of each kind of change as many."""
        found = collections.defaultdict(list)
        for folder in expected.examples():
            if folder.name in workloads.EXAMPLES_OF_GKE or ONLY and folder.name not in ONLY:
                continue
            example = Example(folder)
            for slip, names in example.changes(folder):
                found[slip.operator, slip.path.rpartition(".")[2]].append((example, slip, names))
        order, states = random.Random(SEED), collections.Counter()
        for kind in found.values():
            order.shuffle(kind)
        directory = Path(self.enterContext(tempfile.TemporaryDirectory()))
        chosen, others, tried = [], [], 0
        while sum(states.values()) < NUMBER and (TITLES or tried < 3 * NUMBER) and any(found.values()):
            for kind in found.values():
                if not kind:
                    continue
                example, slip, names = kind.pop()
                folder = directory / f"{example.name}-{(tried := tried + 1)}"
                folder.mkdir()
                change = Change(example, slip, names, folder)
                if not re.search(TITLES, change.title()):
                    continue
                change.state, change.count, change.has_error = judged(folder)
                if change.state and states[change.state] < NUMBER / 2:
                    states[change.state] += 1
                    chosen.append(change)
                elif change.state:
                    others.append(change)
        chosen += others[:max(0, NUMBER - len(chosen))]
        return sorted(chosen, key=lambda each: each.source)

    def pods(self, spaces):
        return [pod for pod in self.plane.list("pods") if pod["metadata"]["namespace"] in spaces and "deletionTimestamp" not in pod["metadata"]]

    def is_bound(self, pod):
        """On a node all of whose chips it takes, as GKE demands."""
        node = pod["spec"].get("nodeName")
        if not node:
            return False
        amount = sum(int(each.get("resources", {}).get("limits", {}).get(TPU, 0)) for each in pod["spec"]["containers"])
        return amount in (0, self.chips.get(node, 0))

    def read_chips(self):
        self.chips = {node["metadata"]["name"]: int(node["status"]["allocatable"].get(TPU, 0)) for node in self.plane.list("nodes")}

    def look(self, change, spaces, gke):
        """Waits until all pods are bound, or nothing more happens; returns the pods, and those that are bound."""
        seen, since, end = None, time.monotonic(), time.monotonic() + SECONDS
        while True:
            pods = self.pods(spaces)
            if not {pod["spec"]["nodeName"] for pod in pods if "nodeName" in pod["spec"]} <= self.chips.keys():
                self.read_chips()
            bound = [pod["metadata"]["name"] for pod in pods if self.is_bound(pod)]
            names = [pod["metadata"]["name"] for pod in pods]
            if change.count and len(bound) >= change.count and len(bound) == len(pods):
                return names, bound
            now = sorted(bound), sorted(names)
            if now != seen:
                seen, since = now, time.monotonic()
            waits = [pod for pod in pods if not pod["spec"].get("nodeName") and not any(
                each["type"] == "PodScheduled" and each["status"] == "False" for each in pod["status"].get("conditions", []))]
            # Jobs on single hosts run one after the other.
            for pod in pods:
                topology = pod["spec"].get("nodeSelector", {}).get(GKE + "tpu-topology", "")
                if self.is_bound(pod) and topology and chips_of(topology) == self.chips.get(pod["spec"]["nodeName"]) and len(bound) < max(len(pods), change.count):
                    labels = pod["metadata"]["labels"]
                    for label in ("job-name", "jobset.sigs.k8s.io/jobset-name"):
                        if label in labels:
                            gke.finish(pod["metadata"]["namespace"], labels[label])
            # A busy scheduler takes its time.
            quiet = STILL if pods and change.state == "never" else 5 * STILL
            if not waits and time.monotonic() - since > quiet or time.monotonic() > end:
                return names, bound
            time.sleep(0.3)

    def answer(self, change, gke):
        """What becomes of the pods of a change: placed, never, or None where the server refuses it."""
        commands = subprocess.run(["bash", change.path("provision.sh"), "--dry-run"], capture_output=True, encoding="utf-8", check=False)
        files = [word for path in change.files() for word in ("-f", path)]
        spaces = {change.namespace} | {each.get("metadata", {}).get("namespace", change.namespace) for each in change.objects()}
        try:
            try:
                pools = gke.provision(commands.stdout)
            except (KeyError, ValueError, IndexError):
                return None, "gcloud refuses a command"
            if commands.returncode or sum(len(pool.room()) for pool in pools) > MOST_NODES:
                return None, "too many nodes"
            for pool in pools:
                while not pool.queued and gke.add_node(pool.name):
                    pass
            self.read_chips()
            done = self.plane.kubectl("apply", "--server-side", "--force-conflicts", *files, check=False)
            if done.returncode:
                return None, done.stderr
            for each in change.objects():
                if each["kind"] == "CronJob":
                    self.plane.kubectl("create", "job", "-n", change.namespace, each["metadata"]["name"] + "-now", f"--from=cronjob/{each['metadata']['name']}")
            names, bound = self.look(change, spaces, gke)
            if len(names) < change.count and change.has_error:
                return None, "the controller makes no pods"
            return "placed" if bound and len(bound) == len(names) and len(bound) >= change.count else "never", f"{len(bound)} of {len(names)} pods are bound, {change.count} are wanted"
        finally:
            # A queue stays as long as a workload is in it.
            wait = "--timeout=60s" if change.queued else "--wait=false"
            self.plane.kubectl("delete", "--ignore-not-found", wait, *files, check=False)
            for each in change.objects():
                if each["kind"] == "CronJob":
                    self.plane.kubectl("delete", "job", "-n", change.namespace, "--all", "--ignore-not-found", check=False)
            end = time.monotonic() + SECONDS
            while self.plane.list("pods") and time.monotonic() < end:
                time.sleep(0.2)
            gke.remove_pools()

    def test_changes_of_examples(self):
        agree, wrong, refused, prepared = 0, [], [], None
        nodes = []
        for change in self.sample():
            with Gke(self.plane, by_hand=True) as gke:
                if prepared != change.source:
                    for name in nodes:
                        self.plane.delete("nodes", None, name)
                    prepared, nodes = change.source, [name for name in workloads.prepare(self.plane, change) if name.startswith(("gke-", "ordinary-"))]
                state, why = self.answer(change, gke)
            if state is None:
                refused.append(f"{change.title()}: {why.strip()[:120]}")
            elif state == change.state:
                agree += 1
            else:
                wrong.append(f"{change.title()}: lint says {change.state}; {why}")
            print("refused" if state is None else "agrees" if state == change.state else "DIFFERS", change.state, change.title(), why.strip()[:100], flush=True)
            TABLE.row(change.title(), f"{change.state}; {state or 'refused'}: {why.strip()[:100]}")
        print(f"{agree} of {agree + len(wrong)} agree, {len(refused)} are refused", *refused, sep="\n  ", flush=True)
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
