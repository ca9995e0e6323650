"""`flexslice why`: each cause from a dump that shows it, nothing about what runs, dumps that are cut off or of another kind, and status.sh."""
import copy
import json
import os
import pathlib
import stat
import subprocess
import tempfile
import unittest

import yaml

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FLEXSLICE = os.environ["FLEXSLICE"]
CASES = yaml.safe_load((HERE / "cases.yaml").read_text())
STATES = yaml.safe_load((HERE / "states/states.yaml").read_text())
SPEC = """apiVersion: flexslice/v1
name: {name}
namespace: ml
cluster: {{name: c, location: us-east5}}
tpu: {{type: v6e, topology: 4x4}}
provisioning: {{model: spot, zones: [us-east5-b]}}
workload: {{image: "example.com/a:1"}}
"""
POD = {"apiVersion": "v1", "kind": "Pod",
       "metadata": {"name": "train-0", "namespace": "ml", "creationTimestamp": "2026-11-28T10:00:00Z", "labels": {"job-name": "train"},
                    "ownerReferences": [{"kind": "Job", "name": "train"}]},
       "spec": {"containers": [{"name": "a", "resources": {"requests": {"google.com/tpu": "4"}}}]}, "status": {"phase": "Pending"}}
JOB = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "train", "namespace": "ml", "creationTimestamp": "2026-11-28T10:00:00Z"},
       "spec": {"template": {"spec": copy.deepcopy(POD["spec"])}}}
WORKLOAD = {"kind": "Workload", "metadata": {"name": "job-train", "namespace": "ml", "ownerReferences": [{"kind": "Job", "name": "train"}]}}
READY = {"spec": {"nodeName": "n"}, "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}}


def merged(tree, over):
    tree = copy.deepcopy(tree)
    for key, value in (over or {}).items():
        tree[key] = merged(tree.get(key) or {}, value) if isinstance(value, dict) else value
    return tree


def objects(case):
    """The objects of a dump that the case describes."""
    pod = case.get("pod", {})
    if "waits" in case:
        message = case["waits"]
        if "node" in message or "Insufficient" in message:
            message = f"0/5 nodes are available: {message}."
        pod = merged({"status": {"conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": message,
                                                 "lastTransitionTime": "2026-11-28T10:00:05Z"}]}}, pod)
    pod = merged(POD, pod)
    if case.get("chips") is False:
        pod["spec"]["containers"] = [{"name": "a"}]
    found = [merged(JOB, case.get("job"))]
    if case.get("pods", 1):
        found.append(pod)
    for number, more in enumerate(case.get("more", []), 1):
        found.append(merged(POD, merged({"metadata": {"name": f"train-{number}"}}, more)))
    if "workload" in case:
        found.append(merged(WORKLOAD, case["workload"]))
    for number, (kind, reason, message) in enumerate(case.get("events", [])):
        found.append({"kind": "Event", "metadata": {"name": f"e{number}"}, "involvedObject": {"kind": kind, "namespace": "ml", "name": "train" if kind == "Job" else "train-0"},
                      "reason": reason, "message": message, "lastTimestamp": f"2026-11-28T10:01:0{number}Z"})
    return found + case.get("objects", [])


def as_list(items):
    return yaml.safe_dump({"apiVersion": "v1", "items": items, "kind": "List", "metadata": {"resourceVersion": ""}}, sort_keys=False).replace("\n  ", "\n  ")


class Why(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def why(self, dump, *arguments, spec=None):
        words = [FLEXSLICE, "why", *arguments]
        if spec:
            (self.folder / "spec.yaml").write_text(SPEC.format(name=spec))
            words.append(str(self.folder / "spec.yaml"))
        return subprocess.run([*words, "-"], input=dump, capture_output=True, text=True)

    def test_every_cause(self):
        for case in CASES:
            found = objects(case)
            for form, dump in (("yaml", as_list(found)), ("json", json.dumps({"kind": "List", "items": found})), ("stream", yaml.safe_dump_all(found))):
                with self.subTest(code=case["code"], form=form):
                    done = self.why(dump, "--format=json", spec=case.get("spec"))
                    self.assertEqual((1, ""), (done.returncode, done.stderr))
                    sets = {each["name"]: each for each in json.loads(done.stdout)["sets"]}
                    causes = sets[case.get("of") or case.get("spec") or "train"]["causes"]
                    codes = [cause["code"] for cause in causes]
                    self.assertIn(case["code"], codes if case.get("also") else codes[:1], done.stdout)
                    if "says" in case:
                        self.assertEqual(case["says"], causes[codes.index(case["code"])]["says"])

    def test_each_row_has_a_case_and_an_explanation(self):
        rows = yaml.safe_load((ROOT / "src/why/causes.yaml").read_text())
        self.assertEqual(set(rows), {case["code"] for case in CASES})
        for code, row in rows.items():
            with self.subTest(code=code):
                said = subprocess.run([FLEXSLICE, "explain", code], capture_output=True, text=True, check=True).stdout
                self.assertIn(row["means"], said)

    def test_what_runs_has_no_cause(self):
        healthy = [
            {"pod": READY},
            {"pod": READY, "events": [["Pod", "FailedScheduling", "0/5 nodes are available: 5 Insufficient google.com/tpu."], ["Pod", "FailedScaleUp", "GCE out of resources"]]},
            {"pod": READY, "events": [["Pod", "Unhealthy", "Readiness probe failed"], ["Job", "FailedCreate", "exceeded quota: team, x"]]},
            {"pod": READY, "workload": {"status": {"conditions": [{"type": "QuotaReserved", "status": "True"}, {"type": "Admitted", "status": "True"}]}}},
            {"pod": {"status": {"phase": "Succeeded"}}, "job": {"status": {"conditions": [{"type": "Complete", "status": "True"}]}}},
            {"pods": 0, "job": {"status": {"conditions": [{"type": "Complete", "status": "True"}]}}},
        ]
        for case in healthy:
            with self.subTest(case=case):
                done = self.why(as_list(objects(case)), "--format=json")
                self.assertEqual([[]], [each["causes"] for each in json.loads(done.stdout)["sets"]])
                self.assertEqual(0, done.returncode, done.stdout)

    def test_described_pods(self):
        done = self.why((HERE / "described.txt").read_text())
        self.assertEqual(1, done.returncode)
        self.assertIn("Job train in namespace ml: waits (2 pods: 1 starting, 1 without a node)", done.stdout)
        self.assertIn("cause FS6076", done.stdout)
        self.assertIn("also FS6090", done.stdout)

    def test_dumps_that_are_no_dumps(self):
        whole = as_list(objects({"waits": "4 Insufficient google.com/tpu", "more": [READY]}))
        for cut in range(0, len(whole), 37):
            done = self.why(whole[:cut])
            self.assertIn(done.returncode, (0, 1), whole[:cut])
        self.assertIn("cut off", self.why(whole[: len(whole) // 2]).stdout)
        self.assertIn("cut off", self.why(json.dumps({"kind": "List", "items": objects({})})[:-30]).stdout)
        self.assertIn("has no objects", self.why("hello: world\n").stdout)
        self.assertIn("has no objects", self.why("").stdout)
        self.assertEqual(3, self.why("x" * (33 << 20)).returncode)
        self.assertEqual(2, subprocess.run([FLEXSLICE, "why"], capture_output=True).returncode)

    def test_states_of_a_real_control_plane(self):
        """Dumps of states that were made with Kubernetes, Kueue, JobSet, LeaderWorkerSet and KubeRay, with the spec beside and without."""
        for name, wanted in STATES.items():
            wanted = {"cause": wanted} if isinstance(wanted, str) else wanted
            dump, spec = HERE / f"states/{name}.dump", HERE / f"states/{name}.yaml"
            for specs in [[spec]] if "withSpec" in wanted else [[], [spec]] if spec.exists() else [[]]:
                with self.subTest(state=name, spec=bool(specs)):
                    done = subprocess.run([FLEXSLICE, "why", "--format=json", *specs, dump], capture_output=True, text=True)
                    self.assertEqual("", done.stderr)
                    sets = [each for each in json.loads(done.stdout)["sets"] if each["name"].startswith("train")]
                    causes = [[cause["code"] for cause in each["causes"]] for each in sets]
                    if wanted["cause"] == "fine":
                        self.assertEqual((0, [[]] * len(sets)), (done.returncode, causes), done.stdout)
                        continue
                    self.assertEqual(1, done.returncode)
                    self.assertIn(wanted["cause"], [code for codes in causes for code in (codes if "also" in wanted else codes[:1])], done.stdout)

    def test_dumps_of_another_cluster_and_of_another_spec(self):
        dump = (HERE / "states/half-slice.dump").read_text()
        (self.folder / "spec.yaml").write_text((HERE / "states/half-slice.yaml").read_text().replace("us-east5", "us-west4"))
        said = subprocess.run([FLEXSLICE, "why", self.folder / "spec.yaml", "-"], input=dump, capture_output=True, text=True)
        self.assertIn("is in us-east5, and the spec is for a cluster in us-west4: is the dump of another cluster?", said.stdout)
        (self.folder / "spec.yaml").write_text((HERE / "states/half-slice.yaml").read_text().replace("name: train", "name: other"))
        said = subprocess.run([FLEXSLICE, "why", self.folder / "spec.yaml", "-"], input=dump, capture_output=True, text=True)
        self.assertIn("cause FS6067: it is not in the cluster", said.stdout)

    def test_cut_off_anywhere(self):
        for name in ("half-slice", "quota-too-small-described", "scaling-up"):
            whole = (HERE / f"states/{name}.dump").read_text()
            for cut in range(0, len(whole), 499):
                done = self.why(whole[:cut])
                self.assertIn(done.returncode, (0, 1), whole[:cut][-200:])
                self.assertEqual("", done.stderr)

    def test_outputs_one_after_another(self):
        """`kubectl … >> file` writes no `---` between them, and what is typed may be pasted with its prompts."""
        waits = objects({"waits": "3 node(s) didn't match Pod's node affinity/selector"})
        event = objects({"pods": 0, "events": [["Pod", "FailedScaleUp", "GCE out of resources"]]})[1:]
        table = "LAST SEEN   TYPE      REASON          OBJECT        SUBOBJECT   SOURCE               MESSAGE                FIRST SEEN   COUNT   NAME\n" \
                "25m         Normal    TriggeredScaleUp pod/train-0               cluster-autoscaler   pod triggered          25m          1       train-0.1\n" \
                "40s         Warning   FailedScaleUp   pod/train-0               cluster-autoscaler   GCE out of resources   40s          1       train-0.2\n"
        described = (HERE / "states/half-slice-described.dump").read_text()
        for name, parts in {"lists": [as_list(waits), as_list(event)], "json and yaml": [json.dumps({"kind": "List", "items": waits}, indent=1) + "\n", as_list(event)],
                            "yaml and a wide table": [as_list(waits), table.replace("pod/train-0 ", "pod/train-0 ")],
                            "prompts": ["$ kubectl get pods,jobs -o yaml\n", as_list(waits), "$ kubectl get events -o yaml\n", as_list(event)]}.items():
            with self.subTest(name):
                done = self.why("\ufeff" + "".join(parts))
                self.assertIn("cause FS6010", done.stdout)
                self.assertEqual(1, done.returncode)
        self.assertIn("Job train in namespace ml", self.why(as_list(event) + described).stdout)
        self.assertIn("is in UTF-16", subprocess.run([FLEXSLICE, "why", "-"], input=as_list(waits).encode("utf-16"), capture_output=True).stdout.decode())
        self.assertIn("which has no reasons", self.why("NAME   TYPE  ZONE  TARGET  STATUS_MESSAGE  STATUS  START_TIME\nop-1  CREATE_NODE_POOL z  p  x  DONE  t\n").stdout)
        self.assertIn("without its events", self.why(described[: described.index("\nEvents:")]).stdout)

    def test_runs_of_a_cronjob(self):
        """The newest counts, whatever an older one that is kept did."""
        cron = {"kind": "CronJob", "metadata": {"name": "nightly", "namespace": "ml"}, "spec": {"jobTemplate": {"spec": JOB["spec"]}}, "status": {"lastScheduleTime": "2026-11-28T10:00:00Z"}}
        def run(name, created, condition=None):
            return merged(JOB, {"metadata": {"name": name, "creationTimestamp": created, "ownerReferences": [{"kind": "CronJob", "name": "nightly"}]},
                                "status": {"conditions": [{"type": condition, "status": "True", "reason": "BackoffLimitExceeded", "message": "m"}] if condition else []}})
        old, new = ("2026-11-27T10:00:00Z", "2026-11-28T10:00:00Z")
        for jobs, wanted, status in (([run("a", old, "Failed"), run("b", new, "Complete")], "nightly in namespace ml: idle", 0),
                                     ([run("a", old, "Complete"), run("b", new, "Failed")], "cause FS6110", 1),
                                     ([run("a", old, "Complete"), run("b", new)], "nightly in namespace ml: waits", 1)):
            with self.subTest(wanted):
                done = self.why(as_list([cron, *jobs]))
                self.assertIn(wanted, done.stdout)
                self.assertEqual(status, done.returncode)

    def test_replicas_do_not_wait_for_each_other(self):
        """A pod that has all chips of its topology is a slice of its own."""
        single = {"spec": {"nodeSelector": {"cloud.google.com/gke-tpu-topology": "2x2"}}}
        done = self.why(as_list(objects({"waits": "4 Insufficient google.com/tpu", "pod": single, "more": [merged(READY, single)]})))
        self.assertNotIn("FS6103", done.stdout)

    def test_nodes_of_others_are_not_billed_to_it(self):
        """A node that would fit has the pod of another Job."""
        labels = {"cloud.google.com/gke-tpu-accelerator": "tpu-v6e-slice"}
        node = {"kind": "Node", "metadata": {"name": "n", "labels": labels}}
        other = merged(POD, {"metadata": {"name": "other-0", "labels": {"job-name": "other"}, "ownerReferences": [{"kind": "Job", "name": "other"}]}, **READY})
        done = self.why(as_list([*objects({"waits": "1 Insufficient google.com/tpu", "pod": {"spec": {"nodeSelector": labels}}}), node, other]), spec="train")
        self.assertIn("billed: no node is there for it", done.stdout)

    def test_pool_of_another_shape(self):
        """The pool of the spec was made by another version of it."""
        pool = {"name": "train-pool", "config": {"machineType": "ct6e-standard-4t"}, "placementPolicy": {"tpuTopology": "4x8"}, "status": "RUNNING"}
        done = self.why(as_list([*objects({"waits": "3 node(s) didn't match Pod's node affinity/selector"}), pool]), spec="train")
        self.assertIn("topology 4x4 of node pool train-pool in the spec, 4x8 in the cluster", done.stdout)
        self.assertNotIn("machine type", done.stdout)

    def codes(self, case, spec=None):
        return [cause["code"] for each in json.loads(self.why(as_list(objects(case)), "--format=json", spec=spec).stdout)["sets"] for cause in each["causes"]]

    def test_nodes_with_the_labels_exist(self):
        """A node that fails for what comes after the labels has them, so that no cause says that none has."""
        differ, labels = "3 node(s) didn't match Pod's node affinity/selector", {"cloud.google.com/gke-tpu-accelerator": "tpu-v6e-slice"}
        for waits in (f"{differ}, 4 Insufficient google.com/tpu. preemption: not eligible", f"1 node(s) were unschedulable, {differ}", f"2 node(s) didn't match pod anti-affinity rules, {differ}"):
            with self.subTest(waits):
                self.assertNotIn("FS6081", self.codes({"waits": waits}))
        self.assertEqual(["FS6081"], self.codes({"waits": differ}))
        scaling = ["Pod", "NotTriggerScaleUp", "pod didn't trigger scale-up: 2 node(s) didn't match Pod's node affinity/selector"]
        self.assertEqual(["FS6076"], self.codes({"waits": "1 Insufficient google.com/tpu", "events": [scaling]}))
        self.assertEqual(["FS6016"], self.codes({"pod": {"status": {"conditions": []}}, "events": [[*scaling[:2], scaling[2] + ", 1 max node group size reached"]]}))
        # The cordoned node is of another pool: the dump has all nodes, and none with the labels.
        nodes = [{"kind": "Node", "metadata": {"name": f"n{i}", "labels": {"a": "b"}}} for i in range(4)]
        self.assertEqual(["FS6081"], self.codes({"waits": f"1 node(s) were unschedulable, {differ}", "pod": {"spec": {"nodeSelector": labels}}, "objects": nodes}))

    def test_the_scheduler_has_looked(self):
        """The autoscaler adds nodes for pods that the scheduler has refused."""
        new = {"status": {"conditions": []}}
        self.assertEqual(["FS6010"], self.codes({"pod": new, "events": [["Pod", "FailedScaleUp", "GCE out of resources"]]}))
        self.assertEqual(["FS6020"], self.codes({"pod": new, "events": [["Pod", "TriggeredScaleUp", "pod triggered scale-up"]]}))
        self.assertEqual(["FS6089"], self.codes({"pod": new, "events": [["Pod", "FailedScheduling", ""]]}))
        self.assertEqual(["FS6085"], self.codes({"pod": new}))

    def test_a_table_of_pods(self):
        table = "NAME              READY   STATUS    RESTARTS   AGE   IP       NODE     NOMINATED NODE   READINESS GATES\n" \
                "train-0-b8x2k     0/1     Pending   0          30m   <none>   <none>   <none>           <none>\n" \
                "train-1-dkx8p     1/1     Running   0          30m   10.0.0.1 gke-1    <none>           <none>\n" \
                "train-2-dkx8p     0/1     ImagePullBackOff   0  30m   10.0.0.1 gke-2    <none>           <none>\n" \
                "train-x-0-b8x2k   0/1     Pending   0          30m   <none>   <none>   <none>           <none>\n"
        done = self.why(table, spec="train")
        self.assertIn("Job train: waits (3 pods: 1 ready, 1 starting, 1 without a node)", done.stdout)
        self.assertIn("cause FS6090: the image cannot be pulled: ImagePullBackOff", done.stdout)
        self.assertNotIn("train-x", done.stdout)
        self.assertNotIn("FS6085", done.stdout)
        self.assertEqual(1, done.returncode)
        done = self.why(table)
        self.assertIn("Pod train-0-b8x2k: waits (1 pod: 1 without a node)\n  the dump does not show why", done.stdout)
        self.assertIn("has a table of pods, which has no reasons: save them with `kubectl get pods,jobs,events,nodes -o yaml`", done.stdout)
        done = self.why(table, spec="other")
        self.assertNotIn("FS6067", done.stdout)
        self.assertIn("whether Job other is in the cluster is not in the dump", done.stdout)
        # Of all namespaces, and beside another output.
        self.assertIn("Job train in namespace ml: waits (1 pod", self.why("NAMESPACE   NAME            READY   STATUS    RESTARTS   AGE\nml          train-0-b8x2k   0/1     Pending   0          5m\n", spec="train").stdout)

    def test_events_of_the_pods_of_a_spec(self):
        """Events name no owner of a pod, and its name begins with that of the Job."""
        table = "LAST SEEN   TYPE      REASON          OBJECT              MESSAGE\n" \
                "3m          Warning   FailedScaleUp   pod/train-0-b8x2k   GCE out of resources\n"
        done = self.why(table, spec="train")
        self.assertIn("Job train: waits (1 pod: 1 without a node)\n  cause FS6010", done.stdout)
        self.assertNotIn("FS6067", self.why(table, spec="other").stdout)
        self.assertNotIn("FS6067", self.why("LAST SEEN   TYPE      REASON          OBJECT              MESSAGE\n3m          Normal   Pulled   pod/train-0-b8x2k   ok\n", spec="train").stdout)

    def test_a_workload_alone(self):
        """Kueue's Workload names its owner, and says why that waits."""
        message = "couldn't assign flavors to pod set main: insufficient unused quota for google.com/tpu in flavor v6e, 16 more needed"
        described = "Name:         job-train-1\nNamespace:    ml\nAPI Version:  kueue.x-k8s.io/v1beta1\nKind:         Workload\nMetadata:\n" \
                    "  Owner References:\n    API Version:  batch/v1\n    Kind:         Job\n    Name:         train\nStatus:\n  Conditions:\n" \
                    f"    Message:  {message}\n    Reason:   Pending\n    Status:   False\n    Type:     QuotaReserved\nEvents:  <none>\n"
        conditions = [{"type": "QuotaReserved", "status": "False", "reason": "Pending", "message": message}]
        for dump in (described, as_list([merged(WORKLOAD, {"status": {"conditions": conditions}})])):
            for spec in (None, "train"):
                with self.subTest(dump=dump, spec=spec):
                    done = self.why(dump, spec=spec)
                    self.assertEqual(1, done.returncode)
                    self.assertIn("Job train in namespace ml: waits (no pods)", done.stdout)
                    self.assertIn("cause FS6041: the quota of the queue is in use: 16 more of google.com/tpu needed in flavor v6e", done.stdout)
        checks = {"status": {"conditions": [], "admissionChecks": [{"name": "dws", "state": "Rejected", "message": "no capacity"}]}}
        self.assertIn("cause FS6047", self.why(as_list([merged(WORKLOAD, checks)])).stdout)
        for condition in ("Admitted", "Finished"):
            over = {"status": {"conditions": [*conditions, {"type": condition, "status": "True"}]}}
            self.assertIn("nothing in it is about pods", self.why(as_list([merged(WORKLOAD, over)])).stdout)

    def test_tables_of_gcloud(self):
        pools = "NAME     MACHINE_TYPE      DISK_SIZE_GB  NODE_VERSION\nnp       ct6e-standard-4t  100           1.33.2-gke.100\n"
        operations = "NAME         TYPE              LOCATION  TARGET  STATUS_MESSAGE  STATUS  START_TIME            END_TIME\n" \
                     "operation-1  CREATE_NODE_POOL  us-east5  np                      DONE    2026-11-28T10:00:00Z\n"
        for before in ("", as_list([JOB]), "Name:  a\nNamespace:  ml\nEvents:  <none>\n"):
            with self.subTest(before):
                said = self.why(before + pools + operations).stdout
                self.assertIn("has a table of node pools, which has no states: save it with `gcloud container node-pools list --format=yaml`", said)
                self.assertIn("has a table of operations, which has no reasons: save it with `gcloud container operations list --format=yaml`", said)
        self.assertIn("save them with `kubectl get … -o yaml` and `gcloud … --format=yaml`", self.why("np\tct6e-standard-4t\n").stdout)

    def test_dumps_that_say_nothing_of_pods(self):
        workload = "Name:         job-train\nNamespace:    ml\nAPI Version:  kueue.x-k8s.io/v1beta1\nKind:         Workload\nStatus:\n  Conditions:\n    Type:  QuotaReserved\nEvents:  <none>\n"
        for dump in (workload, "", "Unauthorized\n", 'Error from server (Forbidden): pods is forbidden: User "a" cannot list resource "pods"\n'):
            for spec in (None, "train"):
                with self.subTest(dump=dump, spec=spec):
                    done = self.why(dump, spec=spec)
                    self.assertEqual(1, done.returncode)
                    self.assertIn("nothing in it is about pods: save them with `kubectl get pods,jobs,", done.stdout)
                    self.assertNotIn("FS6067", done.stdout)
        self.assertIn("lacks what could not be saved: Error from server (Forbidden): pods is forbidden", done.stdout)
        for dump in (as_list([]), '{"kind": "List", "items": []}', "No resources found in ml namespace.\n"):
            with self.subTest(dump):
                self.assertIn("cause FS6067", self.why(dump, spec="train").stdout)
                done = self.why(dump)
                self.assertEqual((0, True), (done.returncode, "no pods, and nothing that makes pods" in done.stdout))

    def test_a_pool_without_pods(self):
        pool = {"name": "train-pool", "config": {"machineType": "ct6e-standard-4t"}, "status": "ERROR", "conditions": [{"canonicalCode": "RESOURCE_EXHAUSTED", "code": "GCE_STOCKOUT", "message": "Instance creation failed: ZONE_RESOURCE_POOL_EXHAUSTED"}]}
        done = self.why(yaml.safe_dump(pool))
        self.assertIn("NodePool train-pool: FS6010: the pool cannot grow", done.stdout)
        self.assertEqual(1, done.returncode)

    def test_pool_of_another_size_model_and_zone(self):
        right = {"name": "train-pool", "config": {"machineType": "ct6e-standard-4t", "spot": True}, "placementPolicy": {"tpuTopology": "4x4"}, "locations": ["us-east5-b"], "status": "RUNNING",
                 "autoscaling": {"enabled": True, "maxNodeCount": 4}}
        for change, wanted in (({}, None), ({"autoscaling": {"maxNodeCount": 2}}, "size 4 of node pool train-pool in the spec, at most 2 in the cluster"),
                               ({"config": {"spot": False, "flexStart": True}}, "model spot of node pool train-pool in the spec, flex-start in the cluster"),
                               ({"config": {"spot": None}}, None),
                               ({"locations": ["us-east5-a"]}, "zone us-east5-b of node pool train-pool in the spec, us-east5-a in the cluster"),
                               ({"autoscaling": {"enabled": False}}, None)):
            with self.subTest(wanted):
                done = self.why(as_list([*objects({"waits": "3 node(s) didn't match Pod's node affinity/selector"}), merged(right, change)]), spec="train")
                if wanted:
                    self.assertIn(f"FS6118: the spec and the cluster differ: {wanted}", done.stdout)
                else:
                    self.assertNotIn("FS6118", done.stdout)

    def test_what_is_billed(self):
        node = {"kind": "Node", "metadata": {"name": "n", "labels": {
            "cloud.google.com/gke-tpu-accelerator": "tpu-v6e-slice", "topology.kubernetes.io/region": "us-east5",
            "node.kubernetes.io/instance-type": "ct6e-standard-4t", "cloud.google.com/gke-spot": "true"}}, "status": {"allocatable": {"google.com/tpu": "4"}}}
        done = self.why(as_list([*objects({"pod": READY}), node]))
        self.assertRegex(done.stdout, r"billed: 1 node of ct6e-standard-4t, \$\d+\.\d\d an hour by list prices")

    def test_status_script(self):
        """Saved with a kubectl that prints secrets and refuses nodes; `why` reads it."""
        (self.folder / "spec.yaml").write_text(SPEC.format(name="train"))
        script = subprocess.run([FLEXSLICE, "compile", "--emit", "status", self.folder / "spec.yaml"], capture_output=True, text=True, check=True).stdout
        pod = merged(objects({"waits": "4 Insufficient google.com/tpu"})[1], {"metadata": {"annotations": {"kubectl.kubernetes.io/last-applied-configuration": '{"env": "hunter2"}\n'}}})
        pod["spec"]["containers"][0] |= {"command": ["bash", "-c", "login hunter2"], "env": [{"name": "KEY", "value": "hunter2\nhunter2"}, {"name": "B", "value": "hunter2"}], "args": ["hunter2"]}
        (self.folder / "pods").write_text(as_list([pod]))
        for name, text in {"gcloud": "exit 0", "kubectl": """case "$*" in
  config*) echo ml ;;
  'get pods'*) cat "$0".. 2>/dev/null || cat "${0%/*}/pods" ;;
  'get nodes'*) echo 'Error from server (Forbidden): nodes is forbidden' >&2; exit 1 ;;
  *) echo "error: the server doesn't have a resource type" >&2; exit 1 ;;
esac"""}.items():
            (self.folder / name).write_text(f"#!/usr/bin/env bash\n{text}\n")
            (self.folder / name).chmod(0o755)
        saved = subprocess.run(["bash", "-c", script, "status.sh"], capture_output=True, text=True, env=os.environ | {"PATH": f"{self.folder}:{os.environ['PATH']}"})
        self.assertEqual(0, saved.returncode, saved.stderr)
        self.assertNotIn("hunter2", saved.stdout)
        self.assertIn("google.com/tpu", saved.stdout)
        said = self.why(saved.stdout, spec="train")
        self.assertIn("cause FS6076", said.stdout)
        self.assertIn("nodes is forbidden", said.stdout)


if __name__ == "__main__":
    unittest.main()
