"""Places: what a spec with several clusters makes, and what run.sh does in them."""
import os
import pathlib
import shutil
import signal
import subprocess
import time
import unittest

import yaml

from program import *

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples/places"
TRAIN, QUEUED = EXAMPLES / "train.yaml", EXAMPLES / "queued.yaml"
PLACES = ("us-east", "europe", "us-west")
SCRIPTS = ("preflight", "provision", "verify", "status", "cleanup")


def objects(text):
    return [each for each in yaml.safe_load_all(text) if each]


class Compile(Case):
    def test_a_folder_for_each_place(self):
        self.fine("compile", "--out-dir", "out", str(TRAIN))
        made = self.files()
        self.assertEqual(["out/train/run.sh"], [name for name in made if name.count("/") == 2])
        for place in PLACES:
            self.assertEqual({f"{name}.sh" for name in SCRIPTS} | {"manifests.yaml", "plan.json"},
                             {name.split("/")[3] for name in made if name.startswith(f"out/train/{place}/")})
        self.assertIn("--location=us-east5", self.read("out/train/us-east/provision.sh"))
        self.assertIn("--spot", self.read("out/train/europe/provision.sh"))
        self.assertIn("gke-tpu-accelerator: tpu-v5-lite-podslice", self.read("out/train/us-west/manifests.yaml"))
        self.assertIn('"place": "us-west"', self.read("out/train/us-west/plan.json"))
        self.fine("compile", "--out-dir", "out", "--check", str(TRAIN))

    def test_places_that_are_gone(self):
        spec = TRAIN.read_text()
        self.write("specs/train.yaml", spec)
        self.fine("compile", "--out-dir", "out", "specs")
        self.write("specs/train.yaml", spec[:spec.index("  - name: us-west")])
        self.expect(FINDINGS, "compile", "--out-dir", "out", "--check", "specs")
        kept = self.run_flexslice("compile", "--out-dir", "out", "--prune", "specs").err
        self.assertIn("out/train/us-west: its spec is gone, and it created node pool train-pool", kept)
        self.fine("compile", "--out-dir", "out", "--prune", "--forget", "specs")
        self.assertFalse((self.folder / "out/train/us-west").exists())
        self.assertTrue((self.folder / "out/train/europe/cleanup.sh").exists())
        # Without places, run.sh goes as well, and the scripts are where those of every workload are.
        self.write("specs/train.yaml", spec[:spec.index("places:")] + "provisioning: {model: spot, zones: [us-east5-b]}\n", )
        text = self.read("specs/train.yaml").replace("  project: my-project", "  project: my-project\n  name: train-us\n  location: us-east5")
        self.write("specs/train.yaml", text)
        self.fine("compile", "--out-dir", "out", "--prune", "--forget", "specs")
        self.assertEqual({"out/train"}, {name.rsplit("/", 1)[0] for name in self.files() if name.startswith("out/")})
        self.assertFalse((self.folder / "out/train/run.sh").exists())

    def test_one_output(self):
        """Of each place in order; scripts are files of their own."""
        jobs = [each for each in objects(self.fine("compile", "--emit", "manifests", str(TRAIN)).out) if each["kind"] == "Job"]
        self.assertEqual([4, 4, 4], [each["spec"]["completions"] for each in jobs])
        self.assertTrue(self.fine("compile", "--emit", "run", str(TRAIN)).out.startswith("#!/usr/bin/env bash\n"))
        self.assertIn("several specs give several files", self.expect(USAGE, "compile", "--emit", "provision", str(TRAIN)).err)
        self.assertIn("finetune has no run.sh: the spec has no `places`", self.run_flexslice("compile", "--emit", "run", "-", stdin=spec()).err)

    def test_every_artifact(self):
        self.fine("compile", "--out-dir", "out", "--emit", "manifests,preflight,provision,verify,status,cleanup,plan,run,terraform,picture", str(TRAIN))
        for place in PLACES:
            self.assertTrue((self.folder / f"out/train/{place}/train.tf.json").exists())
            self.assertTrue((self.folder / f"out/train/{place}/picture.svg").exists())

    def test_layers(self):
        """A place adds, replaces and takes away."""
        text = """\
apiVersion: flexslice/v1
name: a
cluster: {name: one, location: us-east5}
tpu: {type: v6e, topology: 2x2}
provisioning: {model: spot, zones: [us-east5-b], diskSize: 200Gi}
workload: {image: busybox}
places:
  - name: one
  - {name: two, cluster: {name: other}, provisioning: {model: on-demand, diskSize: null}}
"""
        self.fine("compile", "--out-dir", "out", "-", stdin=text)
        one, two = (self.read(f"out/a/{place}/provision.sh") for place in ("one", "two"))
        self.assertIn("--disk-size=200", one)
        self.assertNotIn("--disk-size", two)
        self.assertIn("--cluster=other", two)
        self.assertIn("--location=us-east5", two)
        set_one = self.fine("compile", "--emit", "plan", "--set", "places[0].cluster.name=third", "-", stdin=text).out
        self.assertIn('"name": "third"', set_one)

    def test_two_pools_of_one_cluster(self):
        text = spec() + "places:\n- {name: flex, provisioning: {model: flex-start}}\n- {name: spot, provisioning: {model: spot, nodePool: spare}}\n"
        self.fine("compile", "--out-dir", "out", "-", stdin=text)
        done = self.run_flexslice("check", "-", stdin=text.replace("nodePool: spare", "nodePool: spare, zones: [europe-west4-a]"))
        self.assertIn("in 1 of 2 places: spot", done.out + done.err)


class Explain(Case):
    def test_places_side_by_side(self):
        out = self.fine("explain", str(TRAIN)).out
        head = out[:out.index("The plan of the first place:")]
        self.assertTrue(head.startswith("train: 3 places, the most wanted first\n"))
        for wanted in ("1. us-east: cluster train-us in us-east5", "3. us-west: cluster train-us-west in us-west4", "after 45m without nodes", "after 2h without nodes",
                       "an hour", "GKE", "quota", "zones"):
            self.assertIn(wanted, head)
        self.assertIn("MultiKueue", self.fine("explain", str(QUEUED)).out)

    def test_diff(self):
        self.assertEqual("no differences\n", self.fine("diff", str(TRAIN), str(TRAIN)).out)
        self.write("new.yaml", TRAIN.read_text().replace("zones: [europe-west4-a]", "zones: [europe-west4-b]"))
        out = self.expect(FINDINGS, "diff", str(TRAIN), "new.yaml").out
        self.assertIn("train/europe:", out)
        self.assertNotIn("train/us-east:", out)
        # It runs in one of its places, so that their nodes are not added.
        self.write("new.yaml", TRAIN.read_text().replace("topology: 4x4", "topology: 4x8"))
        self.assertNotIn("All ", self.expect(FINDINGS, "diff", str(TRAIN), "new.yaml").out)
        self.assertIn("a spec with places cannot be migrated", self.usage("diff", "--emit", "migrate", str(TRAIN), "new.yaml"))

    def test_other_commands(self):
        self.fine("check", "--deny", "warnings", str(TRAIN))
        self.fine("check", "--deny", "warnings", str(QUEUED))
        self.assertIn("a spec with `matrix` or `places` is several workloads",
                      self.expect(FINDINGS, "krm", stdin="apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nfunctionConfig:\n"
                                  + "".join(f"  {line}\n" for line in TRAIN.read_text().splitlines())).err)

    def test_why(self):
        """The Job is in one of the clusters: not to be in the others is no fault."""
        dump = {"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "train", "namespace": "team-a"},
                "spec": {"completions": 4, "parallelism": 4}, "status": {"conditions": [{"type": "Complete", "status": "True"}], "succeeded": 4}}]}
        self.write("dump.yaml", yaml.safe_dump(dump))
        done = self.run_flexslice("why", str(TRAIN), "dump.yaml")
        self.assertEqual(1, done.out.count("Job"), done)


class MultiKueue(Case):
    def test_manager_and_workers(self):
        self.fine("compile", "--out-dir", "out", "--emit", "multikueue,queues,manifests", str(QUEUED))
        manager = objects(self.read("out/train/multikueue.yaml"))
        workers = {place: objects(self.read(f"out/train/{place}/multikueue.yaml")) for place in ("us", "europe")}
        kinds = [each["kind"] for each in manager]
        self.assertEqual(2, kinds.count("MultiKueueCluster"))
        by_kind = {each["kind"]: each for each in manager}
        self.assertEqual(["us", "europe"], by_kind["MultiKueueConfig"]["spec"]["clusters"])
        self.assertEqual("kueue.x-k8s.io/multikueue", by_kind["AdmissionCheck"]["spec"]["controllerName"])
        self.assertEqual({"apiGroup": "kueue.x-k8s.io", "kind": "MultiKueueConfig", "name": by_kind["MultiKueueConfig"]["metadata"]["name"]},
                         by_kind["AdmissionCheck"]["spec"]["parameters"])
        # Kueue refuses a check of MultiKueue that is for some flavors.
        self.assertEqual([{"name": by_kind["AdmissionCheck"]["metadata"]["name"]}],
                         by_kind["ClusterQueue"]["spec"]["admissionChecksStrategy"]["admissionChecks"])
        self.assertEqual("team-a", by_kind["Job"]["metadata"]["labels"]["kueue.x-k8s.io/queue-name"])

        def quota(all_objects):
            queue = next(each for each in all_objects if each["kind"] == "ClusterQueue")
            return sum(int(resource["nominalQuota"]) for group in queue["spec"]["resourceGroups"] for flavor in group["flavors"]
                       for resource in flavor["resources"] if resource["name"] == "google.com/tpu")

        self.assertEqual(quota(manager), sum(map(quota, workers.values())))
        for place, made in workers.items():
            self.assertNotIn("Job", [each["kind"] for each in made], place)
            self.assertIn("Service", [each["kind"] for each in made], place)
            for kind in ("LocalQueue", "ClusterQueue"):
                one = next(each for each in made if each["kind"] == kind)
                self.assertEqual((one["metadata"]["name"], one["metadata"].get("namespace")),
                                 (by_kind[kind]["metadata"]["name"], by_kind[kind]["metadata"].get("namespace")))
            self.assertEqual(next(each for each in objects(self.read(f"out/train/{place}/manifests.yaml")) if each["kind"] == "Job"), by_kind["Job"])
        self.assertFalse((self.folder / "out/train/run.sh").exists())

    def test_refused(self):
        for old, new, why in (("  queue: team-a\n", "", "the places have no `provisioning.queue`"),
                              ("  queue: team-a\n", "  queue: {name: team-a, topology: none}\n", "somebody else made queue `team-a`"),
                              ("  command: [python, train.py]\n", "  command: [python, train.py]\n  kind: rayservice\n", None),
                              ("provisioning: {zones: [europe-west4-a]}", "provisioning: {zones: [europe-west4-a], model: on-demand}", "is not the same in places `us` and `europe`")):
            done = self.run_flexslice("compile", "--emit", "multikueue", "-", stdin=QUEUED.read_text().replace(old, new))
            self.assertEqual(FINDINGS, done.status, done)
            if why:
                self.assertIn("FS4274", done.err)
                self.assertIn(why, done.err)
        self.assertIn("the spec has no `places`", self.expect(FINDINGS, "compile", "--emit", "multikueue", "-", stdin=spec()).err)


CHILD = """\
#!/usr/bin/env bash
# [--namespace NS]
echo "{place} {name} $*" >>"$LOG"
{body}
"""
# A pod of each host has a node in the places that this file names.
KUBECTL = """\
#!/usr/bin/env bash
case "$*" in
  *"config view"*) exit 0 ;;
  *apply*) echo "kubectl apply $(cat "$KUBECONFIG") $*" >>"$LOG" ;;
  *"get pods"*) [[ -e $HAVE/$(cat "$KUBECONFIG") ]] && printf '[node-a][node-b][node-c][node-d]' || printf '[node-a][][][]' ;;
esac
"""
GCLOUD = """\
#!/usr/bin/env bash
[[ $* == "container clusters get-credentials "* ]] || exit 1
[[ -e $MISSING/$4 ]] && exit 1
printf %s "$4" >"$KUBECONFIG"
"""


class Run(Case):
    """run.sh with scripts of places that only say that they were called."""

    def setUp(self):
        super().setUp()
        self.write("spec.yaml", TRAIN.read_text().replace("for: 45m", "for: 2s").replace("- name: europe", "- name: europe\n    for: 2s").replace("- name: us-west", "- name: us-west\n    for: 2s"))
        self.fine("compile", "--out-dir", "out", "spec.yaml")
        for name, text in (("bin/kubectl", KUBECTL), ("bin/gcloud", GCLOUD), ("bin/sleep", "#!/bin/sh\nexec /bin/sleep 0.05\n")):
            self.write(name, text)
            (self.folder / name).chmod(0o755)
        for place in PLACES:
            for name in SCRIPTS:
                self.child(place, name, "")
        for name in ("have", "missing"):
            (self.folder / name).mkdir()

    def child(self, place, name, body):
        self.write(f"out/train/{place}/{name}.sh", CHILD.format(place=place, name=name, body=body))

    def environment(self):
        folder = str(self.folder)
        return {**os.environ, "PATH": f"{folder}/bin:{os.environ['PATH']}", "LOG": f"{folder}/log", "HAVE": f"{folder}/have", "MISSING": f"{folder}/missing",
                "TMPDIR": folder, "HOME": folder}

    def have(self, *clusters):
        for cluster in clusters:
            self.write(f"have/{cluster}", "")

    def script(self, *arguments):
        done = subprocess.run(["bash", "out/train/run.sh", *arguments], cwd=self.folder, capture_output=True, env=self.environment(), stdin=subprocess.DEVNULL, check=False, timeout=120)
        return Result(done)

    def log(self):
        path = self.folder / "log"
        return [line.split(" --")[0].strip() for line in path.read_text().splitlines()] if path.exists() else []

    def test_the_second_place(self):
        """The first has no capacity: it is cleaned up, and the second one runs."""
        self.child("us-east", "provision", "exit 1")
        self.child("europe", "provision", 'touch "$HAVE/train-eu"')
        done = self.script()
        self.assertEqual(0, done.status, done)
        self.assertEqual(["us-east preflight", "us-east provision", "us-east cleanup", "europe preflight", "europe provision", "kubectl apply train-eu apply"], self.log())
        self.assertIn("runs in europe", done.out)
        self.assertEqual([], [name for name in self.files() if name.startswith("tmp.")])

    def test_no_nodes_in_time(self):
        self.child("europe", "provision", 'touch "$HAVE/train-eu"')
        done = self.script()
        self.assertEqual(0, done.status, done)
        self.assertEqual(["us-east preflight", "us-east provision", "kubectl apply train-us apply", "us-east cleanup"], self.log()[:4])

    def test_provision_that_takes_too_long(self):
        """It is stopped with what it has started."""
        self.child("us-east", "provision", '/bin/sleep 300 & echo $! >"$LOG.pid"; wait')
        self.child("europe", "provision", 'touch "$HAVE/train-eu"')
        begin = time.monotonic()
        self.assertEqual(0, self.script().status)
        self.assertLess(time.monotonic() - begin, 100)
        self.assertIn("us-east cleanup", self.log())
        stat = pathlib.Path("/proc", self.read("log.pid").strip(), "stat")
        self.assertTrue(not stat.exists() or stat.read_text().split()[2] == "Z", "the command still runs")

    def test_no_place(self):
        for place in PLACES:
            self.child(place, "provision", "exit 1")
        done = self.script()
        self.assertEqual(1, done.status, done)
        self.assertIn("no place has nodes for all pods", done.err)
        self.assertEqual([f"{place} {name}" for place in PLACES for name in ("preflight", "provision", "cleanup")], self.log())

    def test_a_place_that_lacks_something(self):
        self.child("us-east", "preflight", "exit 1")
        self.child("europe", "provision", 'touch "$HAVE/train-eu"')
        self.assertEqual(0, self.script().status)
        self.assertEqual(["us-east preflight", "europe preflight", "europe provision"], self.log()[:3])

    def test_it_runs_already(self):
        self.have("train-eu")
        done = self.script()
        self.assertEqual((0, []), (done.status, self.log()), done)
        self.assertIn("runs in europe", done.out)

    def test_cleanup_is_repeated(self):
        """GKE refuses to delete a node pool that it is creating."""
        for place in PLACES:
            self.child(place, "provision", "exit 1")
        self.child("us-east", "cleanup", '[[ $(grep -c "us-east cleanup" "$LOG") -ge 3 ]]')
        self.assertEqual(1, self.script().status)
        self.assertEqual(3, self.log().count("us-east cleanup"))
        self.child("us-east", "cleanup", "exit 1")
        (self.folder / "log").unlink()
        done = self.script()
        self.assertEqual(1, done.status, done)
        self.assertIn("us-east may still be billed", done.err)
        # Nothing more is bought while something may be billed.
        self.assertNotIn("europe provision", self.log())

    def test_interrupted(self):
        for stop, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)):
            with self.subTest(stop=stop):
                (self.folder / "log").unlink(missing_ok=True)
                self.child("us-east", "provision", '/bin/sleep 300 & echo $! >"$LOG.pid"; wait')
                process = subprocess.Popen(["bash", "out/train/run.sh"], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                           env=self.environment(), start_new_session=True)
                deadline = time.monotonic() + 60
                while "us-east provision" not in self.log() and time.monotonic() < deadline:
                    time.sleep(0.05)
                process.send_signal(stop)
                _, err = process.communicate(timeout=60)
                self.assertEqual(status, process.returncode, err)
                self.assertEqual(["us-east preflight", "us-east provision", "us-east cleanup"], self.log())
                self.assertIn("stopped; cleaning up us-east", err.decode())

    def test_dry_run(self):
        done = self.script("--dry-run")
        self.assertEqual((0, []), (done.status, self.log()), done)
        for place in PLACES:
            for name in ("preflight", "provision", "cleanup"):
                self.assertIn(f"train/{place}/{name}.sh", done.out)
        self.assertIn("get-credentials train-eu", done.out)
        self.assertEqual(2, self.script("--nonsense").status)

    def test_shellcheck(self):
        if shutil.which("shellcheck") is None:
            self.skipTest("not installed: shellcheck")
        done = subprocess.run(["shellcheck", "--severity=style", "--norc", self.folder / "out/train/run.sh"], capture_output=True, text=True, check=False)
        self.assertEqual(0, done.returncode, done.stdout)


if __name__ == "__main__":
    unittest.main()
