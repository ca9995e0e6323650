"""diff: what a change does, in which words and with which exit status."""
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import yaml

from program import *

ROOT = pathlib.Path(__file__).parents[2]
FLEXSLICE = __import__("os").environ["FLEXSLICE"]
SPECS = sorted(str(path) for path in (ROOT / "examples").rglob("*.yaml") if path.name == "spec.yaml" and "apiVersion: flexslice/" in path.read_text())


NONE = "no differences\n"


def diff(*words, cwd=None):
    done = subprocess.run([FLEXSLICE, "diff", *map(str, words)], capture_output=True, text=True, cwd=cwd, timeout=60)
    return done.returncode, done.stdout, done.stderr


def signs(out):
    return {(row["kind"], row["name"]): row["sign"] for change in json.loads(out)["changes"] for row in change["resources"]}


class Diff(unittest.TestCase):
    def test_an_example_equals_itself(self):
        self.assertTrue(SPECS)
        for spec in SPECS:
            self.assertEqual((0, NONE), diff(spec, spec)[:2], spec)

    def test_topology(self):
        """A pool and a Job are recreated, in both directions."""
        spec = next(spec for spec in SPECS if "topology: 4x4" in pathlib.Path(spec).read_text() and "kind:" not in pathlib.Path(spec).read_text())
        with tempfile.TemporaryDirectory() as folder:
            other = pathlib.Path(folder) / "other.yaml"
            other.write_text(pathlib.Path(spec).read_text().replace("topology: 4x4", "topology: 4x8"))
            status, out, _ = diff(spec, other)
            self.assertEqual(1, status)
            self.assertIn("tpu.topology: 4x4 → 4x8", out)
            self.assertIn("Running pods stop.", out)
            there, back = (signs(diff("--format", "json", *pair)[1]) for pair in ((spec, other), (other, spec)))
            self.assertEqual(there, back)
            self.assertIn("!", there.values())
            self.assertNotIn("?", there.values())

    def test_claims(self):
        """A claim grows in place. It is made again to shrink or for another class, and then nothing may mount it. It outlives its spec."""
        spec = ("apiVersion: flexslice/v1\nname: t\ntpu: {type: v6e, topology: 2x2}\nprovisioning: {model: spot, create: false}\n"
                "workload: {image: i, volumes: [{name: a, mountPath: /a, pvc: {name: weights, class: fast, size: 500Gi}}]}\n")
        claim, job = ("PersistentVolumeClaim", "weights"), ("Job", "t")
        with tempfile.TemporaryDirectory() as folder:
            old, new = (pathlib.Path(folder) / name for name in ("old.yaml", "new.yaml"))
            old.write_text(spec)

            def changed(text):
                new.write_text(text)
                status, out, err = diff("--format", "json", old, new)
                self.assertEqual(1, status, err)
                return signs(out)
            self.assertEqual({claim: "~"}, changed(spec.replace("500Gi", "0.6Ti")))
            self.assertEqual({claim: "!", job: "!"}, changed(spec.replace("500Gi", "400Gi")))
            self.assertEqual({claim: "!", job: "!"}, changed(spec.replace("fast", "slow")))
            self.assertEqual({claim: "-", job: "!"}, changed(spec.replace(", volumes: [{name: a, mountPath: /a, pvc: {name: weights, class: fast, size: 500Gi}}]", "")))
            self.assertIn("leave it with its data: only `--delete-volumes` deletes it", diff(old, new)[1])
            new.write_text(spec.replace("500Gi", "512000Mi"))
            self.assertEqual((0, NONE), diff(old, new)[:2])

    def test_profile_of_another_bucket(self):
        """A claim is bound to the volume of its bucket, so both are made again. Other mount options are for the pods that start then."""
        spec = ("apiVersion: flexslice/v1\nname: t\ntpu: {type: v6e, topology: 2x2}\nprovisioning: {model: spot, create: false}\n"
                "workload: {image: i, serviceAccount: a, volumes: [{name: a, mountPath: /a, gcs: {bucket: old-bucket, profile: training}}]}\n")
        with tempfile.TemporaryDirectory() as folder:
            old, new = (pathlib.Path(folder) / name for name in ("old.yaml", "new.yaml"))
            old.write_text(spec)
            new.write_text(spec.replace("old-bucket", "new-bucket"))
            self.assertEqual({("PersistentVolume", "t-a"): "!", ("PersistentVolumeClaim", "t-a"): "!", ("Job", "t"): "!"}, signs(diff("--format", "json", old, new)[1]))
            new.write_text(spec.replace("bucket: old-bucket", "bucket: old-bucket, mountOptions: implicit-dirs"))
            self.assertIn("update, for new pods only", diff(old, new)[1])
            self.assertEqual({("PersistentVolume", "t-a"): "~"}, signs(diff("--format", "json", old, new)[1]))

    def test_pairs_of_a_kind(self):
        """Nothing of what the examples change is missing in the table, and both directions recreate the same."""
        kinds = {}
        with tempfile.TemporaryDirectory() as folder:
            for spec in SPECS:
                # The same name and cluster, so that they are compared and not deleted and created.
                copy = pathlib.Path(folder) / (pathlib.Path(spec).parent.name + ".yaml")
                copy.write_text(pathlib.Path(spec).read_text())
                out = subprocess.run([FLEXSLICE, "compile", "--emit", "plan", "--set", "name=same", copy], capture_output=True, text=True, timeout=60)
                if out.returncode == 0:
                    plan = json.loads(out.stdout)
                    kinds.setdefault((plan["workload"]["kind"], plan["cluster"]["autopilot"]), []).append(copy)
            compared = 0
            for pair in (pair for specs in kinds.values() for pair in itertools.combinations(specs, 2)):
                options = ["--format", "json", "--set", "name=same"] + [word for key in ("name", "location", "project") for word in ("--set", f"cluster.{key}={'us-east5' if key == 'location' else 'same'}")]
                there, back = (diff(*options, *both) for both in (pair, pair[::-1]))
                if there[0] != 1 or not there[1]:
                    continue
                compared += 1
                unknown = [row for change in json.loads(there[1])["changes"] for row in change["resources"] if row["sign"] == "?"]
                self.assertEqual([], unknown, pair)
                self.assertEqual(*({key for key, sign in signs(side[1]).items() if sign == "!"} for side in (there, back)), pair)
            self.assertGreater(compared, 10)

    def test_values(self):
        """A value of any form is on one line, as a person would write it."""
        spec = (ROOT / "examples/multi-host/spec.yaml").read_text()
        with tempfile.TemporaryDirectory() as folder:
            old, new = (pathlib.Path(folder, name) for name in ("old.yaml", "new.yaml"))
            old.write_text(spec)
            new.write_text(spec + 'labels: {a: b, team: research}\nannotations: {}\n')
            self.assertIn("job-1: labels: (none) → a=b team=research, annotations: (none) → {}\n", diff(old, new)[1])
            self.assertIn("job-1: labels: a=b team=research → (none), annotations: {} → (none)\n", diff(new, old)[1])
            new.write_text(spec + 'labels: {long: %s}\n' % ("x" * 60))
            self.assertIn("job-1: labels: (none) → …\n", diff(old, new)[1])
            old.write_text(spec + "annotations: {a: %s}\n" % ("x" * 80 + "-é-one-" + "y" * 20))
            new.write_text(spec + "annotations: {a: %s}\n" % ("x" * 80 + "-é-two-" + "y" * 20))
            self.assertIn("job-1: annotations.a: …xxxxxxxx-é-one-yyyyyyyyyyy… → …xxxxxxxx-é-two-yyyyyyyyyyy…\n", diff(old, new)[1])
            new.write_text(spec + "annotations: {a: %s}\n" % ("z" * 100))
            self.assertIn("job-1: annotations.a: … → …\n", diff(old, new)[1])
            old.write_text(spec)
            new.write_text(spec.replace("workload:\n", "workload:\n  tolerations: [{key: a, operator: Exists}]\n  nodeSelector: {}\n", 1))
            self.assertIn("workload.tolerations: (none) → [{key=a operator=Exists}]", diff(old, new)[1])

    def test_autoscaling_of_a_pool(self):
        spec = (ROOT / "examples/multislice/spec.yaml").read_text()
        with tempfile.TemporaryDirectory() as folder:
            old, new = (pathlib.Path(folder, name) for name in ("old.yaml", "new.yaml"))
            old.write_text(spec)
            new.write_text(spec.replace("provisioning:\n", "provisioning:\n  autoscale: true\n"))
            for pair in ((old, new), (new, old)):
                self.assertIn("update in place: gcloud container clusters update --node-pool changes autoscaling (autoscale)", diff(*pair)[1])

    def test_lifetime_of_nodes(self):
        spec = (ROOT / "examples/multi-host/spec.yaml").read_text()
        with tempfile.TemporaryDirectory() as folder:
            old, new = (pathlib.Path(folder, name) for name in ("old.yaml", "new.yaml"))
            old.write_text(spec)
            new.write_text(spec.replace("model: flex-start", "model: flex-start\n  maxRunDuration: 2h"))
            status, out, _ = diff("--format", "json", old, new)
            self.assertEqual((1, "!"), (status, signs(out)["node pool", "job-1-pool"]))

    def test_dearest_of_several_models(self):
        """The most is the price of the dearest model that GKE may choose, in diff as in the plan."""
        spec = (ROOT / "examples/fallback/spec.yaml").read_text()
        with tempfile.TemporaryDirectory() as folder:
            old, new = (pathlib.Path(folder, name) for name in ("old.yaml", "new.yaml"))
            old.write_text(spec)
            new.write_text(spec.replace("[spot, on-demand]", "[spot]"))
            self.assertIn("at most $10.80 → $5.61 an hour", diff(old, new)[1])
            plan = json.loads(subprocess.run([FLEXSLICE, "compile", "--emit", "plan", old], capture_output=True, text=True, timeout=60).stdout)
            self.assertEqual("$10.80", plan["cost"]["perHour"])
            self.assertNotIn("perRun", plan["cost"])

    def script(self, old, new, *options):
        with tempfile.TemporaryDirectory() as folder:
            sides = [pathlib.Path(folder, name) for name in ("old.yaml", "new.yaml")]
            for side, text in zip(sides, (old, new)):
                side.write_text(text)
            return diff("--emit", "migrate", *options, *sides)[1]

    def test_shellcheck(self):
        """Of scripts of several parts, and of one that has little to do."""
        if shutil.which("shellcheck") is None:
            self.skipTest("not installed: shellcheck")
        examples = [(ROOT / f"examples/{name}/spec.yaml").read_text() for name in ("serve", "queued", "reservation", "multislice", "fine-tune", "new-cluster")]
        changes = (("image: ", "image: other/"), ("topology: ", "slices: 2, topology: "), ("name: ", "namespace: elsewhere\nname: "), ("create: true", "create: false"))
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for number, (spec, change) in enumerate(itertools.product(examples, changes)):
                script = self.script(spec, spec.replace(*change, 1))
                if script:
                    paths.append(pathlib.Path(folder, f"{number}.sh"))
                    paths[-1].write_text(script)
            self.assertGreater(len(paths), 6)
            done = subprocess.run(["shellcheck", "--severity=style", "--norc", *paths], capture_output=True, text=True, timeout=120)
            self.assertEqual("", done.stdout)

    def commands(self, *arguments):
        """The commands of the script in their order, as lists of words."""
        done = subprocess.run(["bash", "-s", "--", "--dry-run"], input=self.script(*arguments), capture_output=True, text=True, timeout=60)
        self.assertEqual(0, done.returncode, done.stderr)
        return [line.split() for line in done.stdout.splitlines() if "get-credentials" not in line]

    def applied(self, *arguments):
        """The objects that the script applies, in its order."""
        return [yaml.safe_load(each) for each in re.findall(r"^apiVersion: .*?(?=^(?:---|EOF|YAML|END)$)", self.script(*arguments), re.M | re.S)]

    def steps(self, *arguments):
        """The commands of the script, each by its first words."""
        return [" ".join([*each[2:5]] if each[0] == "gcloud" else each[1:3] if each[1] != "apply" else ["apply"]) for each in self.commands(*arguments)]

    def test_scarce_capacity_is_not_given_up_first(self):
        """Pools that can exist beside the old ones come first; a job is gone before the next one comes, and what serves goes last."""
        job = (ROOT / "examples/multi-host/spec.yaml").read_text()
        moved = job.replace("us-east5-b", "us-central1-b").replace("us-east5", "us-central1")
        gone = ["delete job/job-1", "delete service/job-1", "node-pools delete job-1-pool"]
        self.assertEqual(["node-pools create job-1-pool", *gone, "apply"], self.steps(job, moved))
        self.assertEqual([*gone, "node-pools create job-1-pool", "apply"], self.steps(job, moved, "--delete-first"))
        # What the script has to remember to go on with a Job, it forgets at its end.
        forgets = "delete configmap/job-1-migration"
        named = job.replace("provisioning:\n", "provisioning:\n  nodePool: other\n")
        self.assertEqual(["node-pools create other", "delete job/job-1", "node-pools delete job-1-pool", "apply", forgets], self.steps(job, named))
        # A pool of the same name cannot exist twice.
        larger = job.replace("topology: 4x4", "topology: 4x8")
        self.assertEqual(["delete job/job-1", "node-pools delete job-1-pool", "node-pools create job-1-pool", "apply", forgets], self.steps(job, larger))
        # The rollout has a surge for as long as there are both pools.
        serve = (ROOT / "examples/serve/spec.yaml").read_text()
        named = serve.replace("provisioning:\n", "provisioning:\n  nodePool: other\n")
        self.assertEqual(["node-pools create other", "apply", "rollout status", "apply", "node-pools delete chat-pool"], self.steps(serve, named))
        other = serve.replace("name: chat\n", "name: talk\n", 1)
        self.assertEqual(["node-pools create talk-pool", "apply", "rollout status", "delete deployment/chat"], self.steps(serve, other)[:4])
        # In a queue the old one has the quota that the new one waits for.
        queued = [text.replace("provisioning:\n", "provisioning:\n  queue: team-a\n") for text in (serve, other)]
        self.assertEqual(["node-pools create talk-pool", "delete deployment/chat"], self.steps(*queued)[:2])
        self.assertEqual(2, diff("--delete-first", SPECS[0], SPECS[0])[0])

    def test_autoscaler(self):
        """kubectl forgets the number that it has applied before it applies a manifest without it; the other way round the autoscaler goes first."""
        scaled = (ROOT / "examples/autoscaling/spec.yaml").read_text()
        fixed = re.sub(r"  autoscaling: .*\n", "", scaled).replace("provisioning:\n", "provisioning:\n  autoscale: true\n").replace("topology: 2x4\n", "topology: 2x4\n  slices: 3\n")
        words = self.commands(fixed, scaled)
        self.assertEqual([["apply", "set-last-applied"], *[["apply", "--filename=-"]] * 2], [each[1:3] for each in words[-3:]])
        back = self.steps(scaled, fixed)
        self.assertLess(back.index("delete horizontalpodautoscaler/elastic-chat"), back.index("apply"))
        with tempfile.TemporaryDirectory() as folder:
            old, new = (pathlib.Path(folder, name) for name in ("old.yaml", "new.yaml"))
            old.write_text(fixed)
            new.write_text(scaled)
            said = diff(old, new)[1]
            self.assertIn("sets the field that is gone to 1", said)
            self.assertIn("at most $64.80 → $21.60 to $64.80 an hour", said)
            self.assertIn("+ HorizontalPodAutoscaler elastic-chat", said)
            self.assertIn("Running pods go on.", diff(new, old)[1])

    def test_fewer(self):
        """A zone that goes takes its nodes along, and a lower number the pods above it. More of either ends nothing."""
        start = ("apiVersion: flexslice/v1\nname: t\ncluster: {name: c, location: us-east5}\ntpu: {type: v6e, topology: 2x2, slices: 2}\n"
                 "provisioning: {model: on-demand, zones: [us-east5-b]}\nworkload: {kind: deployment, image: i, command: [run], ports: [80]}\n")
        moved, both = (start.replace("[us-east5-b]", zones) for zones in ("[us-east5-a]", "[us-east5-a, us-east5-b]"))
        one, empty = start.replace("slices: 2", "slices: 1"), start.replace("zones:", "autoscale: true, zones:")
        scaled = start.replace(", slices: 2", "").replace("ports: [80]", "ports: [80], resources: {cpu: \"1\"}, autoscaling: {min: 1, max: 4, metric: cpu, target: 80}")
        nodes, pods = "nodes above the new number go, with the pods on them", "replicas above the new number end"
        zone = "GKE deletes the nodes of a zone that goes, with the pods on them"
        with tempfile.TemporaryDirectory() as folder:
            old, new = (pathlib.Path(folder, name) for name in ("old.yaml", "new.yaml"))

            def said(before, after):
                old.write_text(before)
                new.write_text(after)
                return diff(old, new)[1]
            for before, after, ends in ((start, moved, zone), (both, start, zone), (start, one, f"{nodes}, and {pods}"),
                                        (empty, empty.replace("slices: 2", "slices: 1"), pods),
                                        (scaled, scaled.replace("max: 4", "max: 2"), "replicas above the new maximum end")):
                out = said(before, after)
                self.assertIn(f"Running pods go on, except that {ends}. ", out)
                self.assertIn("update, some pods end: ", out)
                if after is not moved and after is not start:
                    self.assertIn("Running pods go on. ", said(after, before))
            # With a zone more there is a node less in the first one.
            self.assertIn(nodes, said(start, both))
            self.assertIn("Running pods go on. ", said(start.replace("slices: 2", "slices: 1"), both.replace("slices: 2", "slices: 1")))

            most = empty.replace("autoscale: true", "autoscale: true, maxNodes: 4")
            self.assertIn("update in place: nodes above the new maximum stay, and are billed, until the autoscaler finds them idle",
                          said(most, most.replace("maxNodes: 4", "maxNodes: 3")))
            self.assertNotIn("nodes above", said(most.replace("maxNodes: 4", "maxNodes: 3"), most))

    def test_a_slice_less(self):
        """The pods of its node pool stop, and those of the others are replaced."""
        text = ("apiVersion: flexslice/v1\nname: t\ncluster: {name: c, location: us-east5}\ntpu: {type: v6e, topology: 4x4, slices: 3}\n"
                "provisioning: {model: spot, zones: [us-east5-b]}\nworkload: {kind: leaderworkerset, image: a, command: [a]}\n")
        with tempfile.TemporaryDirectory() as folder:
            old, new = (pathlib.Path(folder, name) for name in ("old.yaml", "new.yaml"))
            for kind, said in (("leaderworkerset", "Pods on node pool t-pool-2 stop. Other running pods are replaced step by step. "), ("jobset", "Running pods stop. ")):
                old.write_text(text.replace("leaderworkerset", kind))
                new.write_text(old.read_text().replace("slices: 3", "slices: 2"))
                self.assertIn(said, diff(old, new)[1])

    def test_queue_that_no_spec_has(self):
        """It stays, since other specs may use it; diff and the script say how it goes."""
        spec = ROOT / "examples/platform/platform.yaml"
        with tempfile.TemporaryDirectory() as folder:
            new = pathlib.Path(folder, "new.yaml")
            new.write_text(spec.read_text().replace("name: interns", "name: students"))
            said = diff(spec, new)[1]
            self.assertRegex(said, "- ClusterQueue interns +leave it: when nothing uses it, run `kubectl delete clusterqueue/interns`")
            self.assertRegex(said, "- LocalQueue interns +leave it: when nothing uses it, run `kubectl delete localqueue/interns --namespace=interns`")
            script = diff("--emit", "migrate", spec, new)[1]
            self.assertIn("step 'ClusterQueue interns: leave it: when nothing uses it, run `kubectl delete clusterqueue/interns`'", script)

    def test_a_job_goes_with_its_pods(self):
        """The pods of a deleted Job run on until their programs end, and no pool is deleted that would wait for them."""
        for kind, waits in (("job", True), ("jobset", True), ("leaderworkerset", False)):
            old, new = (f"apiVersion: flexslice/v1\nname: {name}\ncluster: {{name: c, location: us-east5}}\ntpu: {{type: v6e, topology: 4x4}}\n"
                        f"provisioning: {{model: spot, create: false, nodePool: {pool}}}\nworkload: {{kind: {kind}, image: i, command: [run]}}\n"
                        for name, pool in (("t", "a"), ("u", "b")))
            [deletion] = [each for each in self.commands(old, new) if each[1:3] == ["delete", f"{kind}/t"]]
            self.assertEqual(waits, "--cascade=foreground" in deletion, deletion)

    def test_groups_move_one_by_one(self):
        """A group more would have the nodes that the last one waits for: a LeaderWorkerSet has no surge while it moves, and its own after that."""
        text = (f"apiVersion: flexslice/v1\nname: t\ncluster: {{name: c, location: us-east5}}\ntpu: {{type: v6e, topology: 2x4, machineType: ct6e-standard-4t, slices: 2}}\n"
                "provisioning: {model: spot, zones: [us-east5-b]}\nworkload: {kind: leaderworkerset, image: i, command: [run]}\n")
        own = {"maxSurge": 0, "maxUnavailable": 1}
        for patch, applied in (({}, [own]), ({"maxSurge": 1, "maxUnavailable": 0}, [{"maxUnavailable": 1}, {"maxSurge": 1, "maxUnavailable": 0}]),
                               ({"maxUnavailable": 2}, [own | {"maxUnavailable": 2}]), ({"maxSurge": "0%"}, [own | {"maxSurge": "0%"}])):
            old = text + (f"patches: [{{target: {{kind: LeaderWorkerSet}}, merge: {{spec: {{rolloutStrategy: {{rollingUpdateConfiguration: {json.dumps(patch)}}}}}}}}}]\n" if patch else "")
            new = old.replace("zones:", "nodePool: other, zones:")
            self.assertEqual(applied, [each["spec"]["rolloutStrategy"]["rollingUpdateConfiguration"] for each in self.applied(old, new)], patch)
            words = self.steps(old, new)
            self.assertEqual(["apply", "wait --for=condition=Available", *["apply"] * (len(applied) - 1), "node-pools delete t-pool-0"],
                             words[words.index("apply"):][:2 + len(applied)], patch)

    def test_groups_that_served_before(self):
        """No pool goes since the groups were available before the controller has seen the change, which releases before 0.9 say of no generation."""
        text = (ROOT / "examples/serve-multi-host/spec.yaml").read_text()
        ready = re.search(r"^ready\(\) {.*?^}", self.script(text, text.replace("provisioning:\n", "provisioning:\n  nodePool: other\n")), re.M | re.S)[0]
        for generation, verbs in (("2", ["get", "wait"]), ("", ["get", "patch", "wait"])):
            stubs = f'dry_run=false namespace=n\nsleep() {{ :; }}\nrun() {{ "$@"; }}\nkubectl() {{ echo "$1" >&2; [[ $1 != get ]] || echo "{generation}"; }}\n'
            done = subprocess.run(["bash", "-eu", "-c", f"{stubs}{ready}\nready wait --for=condition=Available leaderworkerset/t"], capture_output=True, text=True, timeout=60)
            self.assertEqual((0, verbs), (done.returncode, done.stderr.split()))

    def test_pools_of_another_owner(self):
        """`terraform apply` changes them; the script neither deletes nor creates them, and waits for the new ones before it deletes anything."""
        text = (ROOT / "examples/multi-host/spec.yaml").read_text()
        owned = text.replace("model: flex-start", "model: flex-start\n  owner: terraform")
        with tempfile.TemporaryDirectory() as folder:
            old, new = pathlib.Path(folder) / "old.yaml", pathlib.Path(folder) / "new.yaml"
            old.write_text(owned)
            new.write_text(owned.replace("topology: 4x4", "topology: 4x8"))
            status, out, _ = diff(old, new)
            self.assertEqual(1, status)
            self.assertRegex(out, r"! node pool job-1-pool +change it with terraform apply: recreate: .*topology")
            script = diff("--emit", "migrate", old, new)[1]
            for word in ("node-pools delete", "node-pools create"):
                self.assertNotIn(word, script)
            self.assertIn("await job-1-pool 'terraform apply'", script)
            new.write_text(owned.replace("name: job-1", "name: job-2"))
            out = diff(old, new)[1]
            self.assertRegex(out, r"- node pool job-1-pool +delete it with terraform apply")
            self.assertRegex(out, r"\+ node pool job-2-pool +create it with terraform apply")
            self.assertNotIn("node-pools delete", diff("--emit", "migrate", old, new)[1])
            # It is handed over as it is, and not changed at the same time.
            old.write_text(text)
            new.write_text(owned)
            self.assertIn("hand it over to terraform: the new owner imports it", diff(old, new)[1])
            self.assertNotIn("node-pools delete", diff("--emit", "migrate", old, new)[1])
            new.write_text(owned.replace("topology: 4x4", "topology: 4x8"))
            self.assertIn("its owner changes", diff("--emit", "migrate", old, new)[2])

    def test_points_of_a_sweep(self):
        """A point on a pool that the others keep costs nothing of its own; the sweep has the pool and its cost."""
        text = (ROOT / "examples/sweep/spec.yaml").read_text()
        with tempfile.TemporaryDirectory() as folder:
            old, new = pathlib.Path(folder) / "old.yaml", pathlib.Path(folder) / "new.yaml"
            old.write_text(text)
            new.write_text(text.replace('["0.1", "0.03"', '["0.1", "0.05"'))
            out = diff(old, new)[1]
            self.assertIn("- Job tune-lr-0-03--batch-128", out)
            self.assertIn("+ Job tune-lr-0-05--batch-128", out)
            self.assertNotIn("nodes", out)
            new.write_text(text.replace("maxNodes: 2", "maxNodes: 4"))
            self.assertIn("2 → 4 nodes, at most $21.60 → $43.20 an hour", diff(old, new)[1])
            new.write_text(text.replace("  queue: team-a\n", ""))
            for spec, hour, run in ((old, "$21.60", "$259.20"), (new, "$129.60", "$259.20")):
                plan = subprocess.run([FLEXSLICE, "compile", "--out-dir", folder, spec], capture_output=True, text=True, timeout=60)
                self.assertEqual(0, plan.returncode, plan.stderr)
                cost = json.loads((pathlib.Path(folder) / "tune/plan.json").read_text())["cost"]
                self.assertEqual((hour, run), (cost["perHour"], cost["perRun"]))

    def test_replicas_move(self):
        """migrate.sh makes the new pools first: pods stop only where the pool keeps its name, or their controller ends all of them."""
        with tempfile.TemporaryDirectory() as folder:
            new = pathlib.Path(folder, "new.yaml")
            for example, before, after, expected in (
                ("serve", "model: ", "nodePool: other\n  model: ", "Running pods are replaced step by step."),
                ("serve-multi-host", "model: ", "nodePool: other\n  model: ", "each is away until its new pods run"),
                ("serve", "topology: 2x4\n  machineType: ct6e-standard-8t", "topology: 2x2", "Running pods stop."),
                ("multi-host", "model: ", "nodePool: other\n  model: ", "Running pods stop."),
            ):
                spec = (ROOT / f"examples/{example}/spec.yaml").read_text()
                self.assertIn(before, spec)
                new.write_text(spec.replace(before, after, 1))
                self.assertIn(expected, diff(ROOT / f"examples/{example}/spec.yaml", new)[1], example)
                self.assertIn("as_before kubectl apply --filename=- ", diff("--emit", "migrate", ROOT / f"examples/{example}/spec.yaml", new)[1], example)

    def test_what_runs_in_a_queue(self):
        """Kueue judges changes of what it admitted more strictly; what stops pods says so."""
        queued = ROOT / "examples/queued/spec.yaml"
        groups = ROOT / "examples/serve-multi-host/spec.yaml"
        in_queue = "provisioning.queue=serving"
        leader = "workload.leader.resources.memory"
        for spec, sets, other, kind, expected in (
            (queued, [], "provisioning.queue=other", "Job", ("!", "another queue")),
            (queued, [], "patches=[{target: {kind: Job}, merge: {spec: {suspend: true}}}]", "Job", ("~", "its pods stop")),
            (groups, [in_queue], f"{leader}=100Gi", "LeaderWorkerSet", ("!", "Kueue refuses")),
            (groups, [], f"{leader}=100Gi", "LeaderWorkerSet", ("~", "group by group")),
            (groups, [in_queue], "workload.image=vllm/vllm-tpu:v0.12.0", "LeaderWorkerSet", ("~", "group by group")),
        ):
            with self.subTest(kind=kind, other=other), tempfile.TemporaryDirectory() as folder:
                old, new = (pathlib.Path(folder, name) for name in ("old.yaml", "new.yaml"))
                for path, values in ((old, sets), (new, [*sets, other])):
                    made = yaml.safe_load(spec.read_text())
                    for key, _, value in (each.partition("=") for each in values):
                        place = made
                        *parents, last = key.split(".")
                        for parent in parents:
                            place = place[parent]
                        place[last] = yaml.safe_load(value)
                    path.write_text(yaml.safe_dump(made))
                status, out, err = diff("--format", "json", old, new)
                self.assertEqual(1, status, err)
                row = next(row for change in json.loads(out)["changes"] for row in change["resources"] if row["kind"] == kind)
                self.assertEqual(expected[0], row["sign"], row)
                self.assertIn(expected[1], row["what"])

    def test_release_of_kueue(self):
        """From 0.20 on, labels and tolerations of a flavor with a topology, and levels above the host, change in place."""
        spec = {"apiVersion": "flexslice/v1", "name": "a", "cluster": {"name": "c", "location": "us-east5"}, "tpu": {"type": "v6e", "topology": "4x4"},
                "provisioning": {"model": "on-demand", "zones": ["us-east5-b"], "queue": "q"}, "workload": {"image": "a:1"}}
        pool, host = {"nodeLabel": "cloud.google.com/gke-nodepool"}, {"nodeLabel": "kubernetes.io/hostname"}
        changes = {
            "labels": ("ResourceFlavor", {"nodeLabels": {"example.com/team": "a"}}, "~"),
            "tolerations": ("ResourceFlavor", {"tolerations": [{"key": "a", "operator": "Exists"}]}, "~"),
            "topology": ("ResourceFlavor", {"topologyName": "other"}, "!"),
            "levels": ("Topology", {"levels": [{"nodeLabel": "example.com/block"}, pool, host]}, "~"),
            "lowest level": ("Topology", {"levels": [pool, {"nodeLabel": "example.com/core"}]}, "!")}
        with tempfile.TemporaryDirectory() as folder:
            def write(name, kueue, *patches):
                path = pathlib.Path(folder) / name
                path.write_text(json.dumps({**spec, "cluster": {**spec["cluster"], **({"kueue": kueue} if kueue else {})}, **({"patches": list(patches)} if patches else {})}))
                return path
            for what, (kind, change, sign) in changes.items():
                patch = {"target": {"kind": kind}, "merge": {"spec": change}}
                for old, new, wanted in (("0.20", "0.20.7", sign), ("0.21", "1.0", sign), ("0.19", "0.20", "!"), ("0.20", "0.19.14", "!"),
                                         (None, "0.20", "!"), (None, None, "!")):
                    with self.subTest(what, old=old, new=new):
                        sides = write("old.yaml", old), write("new.yaml", new, patch)
                        for pair in (sides, sides[::-1]):
                            found = {key[0]: each for key, each in signs(diff("--format", "json", *pair)[1]).items()}
                            self.assertEqual(wanted, found[kind])
            # Two specs of one cluster: what the older release lacks cannot be relied on.
            for other, wanted in (("0.19", "!"), ("0.20", "~")):
                kind, change, _ = changes["labels"]
                patch = {"target": {"kind": kind}, "merge": {"spec": change}}
                sides = [write("old.yaml", "0.20"), write("new.yaml", "0.20", patch)]
                for side in sides:
                    one = json.loads(side.read_text())
                    two = {**one, "name": "b", "cluster": {**one["cluster"], "kueue": other}}
                    side.write_text("---\n".join(json.dumps(each) + "\n" for each in (one, two)))
                found = {key[0]: each for key, each in signs(diff("--format", "json", *sides)[1]).items()}
                self.assertEqual(wanted, found[kind], other)

    def test_git_and_bad_input(self):
        with tempfile.TemporaryDirectory() as folder:
            git = lambda *words: subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e@example.com", *words], cwd=folder, check=True, capture_output=True)
            spec = pathlib.Path(folder) / "train.yaml"
            spec.write_text(pathlib.Path(SPECS[0]).read_text())
            self.assertEqual(3, diff("HEAD:train.yaml", "train.yaml", cwd=folder)[0])
            git("init", "-q")
            git("add", ".")
            git("commit", "-qm", "one")
            # A repository that would run something at every turn.
            ran = pathlib.Path(folder) / "ran"
            for name in ("core.fsmonitor", "diff.external", "filter.x.smudge", "diff.x.textconv"):
                git("config", name, f"touch {ran}")
            (pathlib.Path(folder) / ".gitattributes").write_text("*.yaml filter=x diff=x\n")
            self.assertEqual((0, NONE), diff("HEAD:train.yaml", "train.yaml", cwd=folder)[:2])
            self.assertEqual((0, NONE), diff("HEAD:", ".", cwd=folder)[:2])
            below = pathlib.Path(folder) / "below"  # from here on paths are as git reads them: from the root, or `./`
            below.mkdir()
            self.assertEqual((0, NONE), diff("HEAD:train.yaml", "../train.yaml", cwd=below)[:2])
            self.assertEqual((0, NONE), diff("HEAD:../train.yaml", "../train.yaml", cwd=below)[:2])
            self.assertEqual(3, diff("HEAD:./train.yaml", "../train.yaml", cwd=below)[0])
            self.assertFalse(ran.exists())
            for words in (["nowhere:train.yaml", "train.yaml"], ["HEAD:none.yaml", "train.yaml"], ["--help:x", "train.yaml"], ["none.yaml", "train.yaml"]):
                self.assertIn(diff(*words, cwd=folder)[0], (2, 3), words)
            bad = pathlib.Path(folder) / "bad.yaml"
            bad.write_text(spec.read_text() + "\nnonsense: 1\n")
            status, out, err = diff("bad.yaml", "train.yaml", cwd=folder)
            self.assertEqual((1, ""), (status, out))
            self.assertIn("nothing compared", err)

    def test_defaults(self):
        """Each side has the defaults of its own revision, and a change of these is a change of the specs."""
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            repository = folder / "repository"
            (repository / "specs").mkdir(parents=True)
            git = lambda *words: subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e@example.com", *words], cwd=repository, check=True, capture_output=True)
            shared = repository / "cluster.yaml"
            spec = "apiVersion: flexslice/v1\nname: job-1\nworkload: {image: a/b:1, command: [x]}\n"
            before = "cluster: {name: c, location: us-east5}\nprovisioning: {zones: [us-east5-b]}\ntpu: {type: v6e, topology: 2x2}\n"
            (repository / "specs/one.yaml").write_text(spec + before)
            git("init", "-q")
            git("add", ".")
            git("commit", "-qm", "without shared settings")
            (repository / "specs/one.yaml").write_text(spec)
            shared.write_text(before)
            git("add", ".")
            git("commit", "-qm", "with them")
            compare = lambda *words, cwd=repository: diff(*words, cwd=cwd)
            defaults = ("--defaults", "cluster.yaml")
            self.assertEqual((0, NONE, ""), compare(*defaults, "HEAD:specs", "specs"))
            status, out, err = compare(*defaults, "HEAD~1:specs", "specs")
            self.assertEqual((0, NONE, "flexslice: note: HEAD~1 has no cluster.yaml; HEAD~1:specs is compiled without it\n"), (status, out, err))
            shared.write_text(before.replace("2x2", "4x4"))
            other = (1, "job-1: tpu.topology: 2x2 → 4x4")
            first = lambda done: (done[0], done[1].partition("\n")[0])
            self.assertEqual(other, first(compare(*defaults, "HEAD:specs", "specs")))
            self.assertEqual(other, first(compare("--defaults", shared, "HEAD:specs", "specs")))
            self.assertEqual(other, first(compare("--defaults", "../cluster.yaml", "HEAD:./", ".", cwd=repository / "specs")))
            self.assertEqual((1, "job-1: tpu.topology: 4x4 → 2x2"), first(compare(*defaults, "specs", "HEAD:specs")))
            self.assertEqual(NONE, compare("--defaults", "HEAD:cluster.yaml", "HEAD:specs", "specs")[1])
            self.assertEqual(3, compare("--defaults", "HEAD:none.yaml", "HEAD:specs", "specs")[0])
            self.assertIn("node-pools delete job-1-pool", compare(*defaults, "--emit", "migrate", "HEAD:specs", "specs")[1])
            # Outside of the repository there is one version.
            outside = folder / "cluster.yaml"
            outside.write_text(before)
            self.assertEqual(NONE, compare("--defaults", outside, "HEAD:specs", "specs")[1])
            self.assertEqual(other, first(compare(*defaults, "--old-defaults", outside, "specs", "specs")))
            self.assertEqual(other, first(compare(*defaults, "--old-defaults", "HEAD:cluster.yaml", "specs", "specs")))
            # A file of defaults among the specs is none of them.
            for path in ("specs/shared.yaml", "specs/one.yaml"):
                (repository / path).write_text("apiVersion: flexslice/v1\n" + before if "shared" in path else spec)
            git("add", ".")
            git("commit", "-qm", "beside the specs")
            self.assertEqual((0, NONE, ""), compare("--defaults", "specs/shared.yaml", "HEAD:specs", "specs"))

    def test_since(self):
        """Any number of paths, of which either side may lack some, and the sum of all workloads."""
        job, serve = ((ROOT / f"examples/{name}/spec.yaml").read_text() for name in ("multi-host", "serve"))
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            git = lambda *words: subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e@example.com", *words], cwd=folder, check=True, capture_output=True)
            since = lambda *words, cwd=folder: diff("--since", "HEAD", *words, cwd=cwd)
            git("init", "-q", "-b", "main")
            (folder / "README").write_text("read me\n")
            git("add", ".")
            git("commit", "-qm", "no specs")
            (folder / "specs").mkdir()
            (folder / "specs/job.yaml").write_text(job)
            (folder / "serve.yaml").write_text(serve)
            status, out, err = since("specs", "serve.yaml")
            self.assertEqual((1, ""), (status, err))
            self.assertIn("job-1: new\n", out)
            self.assertTrue(out.endswith("\nAll 2 workloads: 0 → 6 nodes, at most $0.00 → $64.80 an hour (list prices).\n"), out)
            self.assertNotIn("All ", since("specs")[1])
            git("add", ".")
            git("commit", "-qm", "two specs")
            self.assertEqual((0, NONE, ""), since("specs", "serve.yaml"))
            (folder / "specs/job.yaml").write_text(job.replace("4x4", "4x8"))
            (folder / "serve.yaml").unlink()
            sum_of = "All 2 workloads: 6 → 8 nodes, at most $64.80 → $43.20 an hour (list prices)."
            for words, cwd in ((("specs", "serve.yaml"), folder), ((".",), folder), (("job.yaml", "../serve.yaml"), folder / "specs")):
                self.assertIn(f"\n{sum_of}\n", since(*words, cwd=cwd)[1])
            self.assertIn(f"\n**{sum_of}**\n", since("--format", "markdown", ".")[1])
            self.assertIn("node-pools delete chat-pool", since("--emit", "migrate", ".")[1])
            # A folder whose specs are gone is one without any.
            (folder / "specs/job.yaml").unlink()
            (folder / "specs/notes.yaml").write_text("none: here\n")
            self.assertIn("job-1: gone", since("specs")[1])
            self.assertIn("All of it stays, and is billed, until cleanup.sh of job-1 has run. 4 → 0 nodes", since("specs")[1])
            self.assertEqual((3, "", "flexslice: nowhere: neither in HEAD nor in the work tree\n"), since("nowhere"))
            self.assertEqual((3, "", "flexslice: none:specs: no revision `none`\n"), diff("--since", "none", "specs", cwd=folder))
            self.assertEqual((2, ""), since()[:2])
            # A workload that does not change counts.
            git("checkout", "-q", ".")
            (folder / "serve.yaml").write_text(serve.replace("slices: 2", "slices: 3"))
            self.assertRegex(since(".")[1], r"All 2 workloads: 6 → 7 nodes")

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("git"), "only root makes repositories of others")
    def test_repository_of_another_user(self):
        """git refuses it, and what it refuses is said with what to do."""
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place).resolve()
            (folder / "spec.yaml").write_text((ROOT / "examples/multi-host/spec.yaml").read_text())
            subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
            os.chown(folder, 12345, 12345)
            status, out, err = diff("HEAD:spec.yaml", "spec.yaml", cwd=folder)
            self.assertEqual((3, "", f"flexslice: HEAD:spec.yaml: git refuses the repository {folder}, which belongs to another user; to trust it, "
                              f"run `git config --global --add safe.directory {folder}`\n"), (status, out, err))


if __name__ == "__main__":
    unittest.main()
