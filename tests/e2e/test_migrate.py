"""migrate.sh, the script of `diff --emit migrate`, through the real gcloud and kubectl: the old goes, the new comes.

A failure is injected at each step; the script stops, and run again it ends in the same state.  `kubectl apply` is a stand-in:
what it would have stored is put into the fake cluster after the run.
"""

import copy
import subprocess
import unittest

import yaml

from artifacts import FLEXSLICE, ROOT
from expectations import EXAMPLES
from fake_kubernetes import KINDS
from life import Life, ScriptCase
from sandbox import of_whole

MULTI_HOST = (ROOT / "examples/multi-host/spec.yaml").read_text(encoding="utf-8")
POOL = "/v1/projects/test-project/locations/us-east5/clusters/my-cluster/nodePools/job-1-pool"
KNOWN = {kind for rows in KINDS.values() for kind, _, _ in rows}


class MigrateCase(ScriptCase):
    """Base: specs, their script, and a Life in which the old one is there."""

    def flexslice(self, *words, status=0):
        done = subprocess.run([FLEXSLICE, *words], capture_output=True, encoding="utf-8", check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout

    def live(self, old, new, *options, meant=EXAMPLES["multi-host"]):
        folder = self.directory / f"{self.id()}-{len(list(self.directory.iterdir()))}"
        folder.mkdir()
        for name, text in (("old", old), ("new", new)):
            (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
        sides = [str(folder / "old.yaml"), str(folder / "new.yaml")]
        (folder / "migrate.sh").write_text(self.flexslice("diff", "--emit", "migrate", *options, *sides, status=int(old != new)), encoding="utf-8")
        life = self.enterContext(Life(meant, folder))
        life.sandbox.answer("kubectl", "apply *", stdout="applied\n")
        for pool in meant.pools:
            life.fake.add_node_pool(cluster=meant.cluster, location=meant.location, project=meant.project, **copy.deepcopy(pool))
        self.store(life, self.flexslice("compile", *options, sides[0]))
        return life

    def store(self, life, manifests):
        for document in yaml.safe_load_all(manifests):
            if document and document["kind"] in KNOWN - {"ConfigMap"}:
                life.kubernetes.add(document["kind"], document["metadata"]["name"], life.namespace, spec=document.get("spec", {}))

    def migrate(self, life, *arguments):
        """Runs it; what was applied is in the cluster afterwards."""
        done = life.run("migrate", *arguments)
        if "--dry-run" not in arguments:
            for call in life.sandbox.calls("kubectl"):
                if call.argv[0] == "apply" and "Apply" not in done.stderr.partition("stopped at: ")[2]:
                    self.store(life, call.stdin.decode())
        self.check_quiet(life)
        return done

    def deleted(self, life):
        """Objects that kubectl was told to delete, without the one by which a run that was stopped is remembered."""
        return [argv[1] for argv in life.kubectl() if argv[0] == "delete" and not argv[1].startswith("configmap/")]

    def spec(self, life, kind, name):
        return life.kubernetes.objects[life.namespace, kind, name]["spec"]

    def changes(self, life):
        """What a run did, except for `kubectl apply`, which changes nothing the second time."""
        return [body for body in life.sent() if "/operations/" not in body[0]], life.deleted(), [
            argv for argv in life.kubectl() if argv[0] != "apply" and not argv[1].startswith("configmap/")]


class NewPool(MigrateCase):
    """Another pool, which can exist beside the old one: where it cannot be created, nothing is lost."""

    @of_whole
    def test_no_capacity(self):
        new = MULTI_HOST.replace("provisioning:\n", "provisioning:\n  nodePool: other\n")
        life = self.live(MULTI_HOST, new)
        before = life.state(), life.kubernetes.names()
        life.fake.fail_next("POST", "/nodePools$", 403, "no capacity")
        done = self.migrate(life)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("stopped at: Create node pool other.", done.stderr)
        self.assertEqual((life.state(), life.kubernetes.names()), before)
        done = self.migrate(life)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(life.state(), sorted([*life.neighbours(), POOL[4:].replace("job-1-pool", "other")]))


class Claims(MigrateCase):
    """A claim grows in place; for less of it, its data has to go, which only --delete-volumes allows; a claim of no use stays."""

    OLD = MULTI_HOST.replace("workload:\n", "workload:\n  volumes: [{name: data, mountPath: /data, pvc: {name: team-a-data, class: shared, size: 500Gi}}]\n")
    CLAIM = "PersistentVolumeClaim", "team-a-data"

    def start(self, new):
        life = self.live(self.OLD, new)
        self.store(life, self.flexslice("compile", "--emit", "volumes", str(life.scripts / "old.yaml")))
        return life

    def size(self, life):
        return self.spec(life, *self.CLAIM)["resources"]["requests"]["storage"]

    @of_whole
    def test_it_grows(self):
        life = self.start(self.OLD.replace("500Gi", "600Gi"))
        done = self.migrate(life)
        self.assertEqual((done.returncode, self.size(life), life.deleted()), (0, "600Gi", []), done.stderr)
        self.assertEqual(self.deleted(life), [])

    @of_whole
    def test_less_of_it(self):
        life = self.start(self.OLD.replace("500Gi", "400Gi"))
        before = life.state(), life.kubernetes.names()
        done = self.migrate(life)
        self.assertEqual((done.returncode, life.fake.requests, life.kubectl()), (1, [], []), done.stderr)
        self.assertIn("PersistentVolumeClaim team-a-data has to be deleted with its data and made again: --delete-volumes allows it.", done.stderr)
        self.assertEqual((life.state(), life.kubernetes.names()), before)
        done = self.migrate(life, "--delete-volumes")
        self.assertEqual((done.returncode, self.size(life)), (0, "400Gi"), done.stderr)
        deleted = self.deleted(life)
        self.assertEqual(deleted, ["job/job-1", "persistentvolumeclaim/team-a-data"])
        done = self.migrate(life, "--delete-volumes")
        self.assertEqual((done.returncode, self.deleted(life)), (0, []), done.stderr)

    @of_whole
    def test_nobody_mounts_it(self):
        life = self.start(MULTI_HOST)
        done = self.migrate(life)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("it stays; --delete-volumes deletes it with what is in it", done.stdout)
        self.assertEqual(self.size(life), "500Gi")
        self.assertEqual(self.migrate(life, "--delete-volumes").returncode, 0)
        self.assertNotIn((life.namespace, *self.CLAIM), life.kubernetes.objects)


class Topology(MigrateCase):
    """A larger slice: the Job and its node pool are recreated."""

    NEW = MULTI_HOST.replace("topology: 4x4", "topology: 4x8")

    def start(self):
        return self.live(MULTI_HOST, self.NEW)

    def arrived(self, life):
        pool = life.fake.node_pools[POOL[4:]]
        self.assertEqual((pool["placementPolicy"]["tpuTopology"], pool["autoscaling"]["maxNodeCount"], pool["config"]["resourceLabels"]),
                         ("4x8", 8, {"flexslice": "job-1", "flexslice-namespace": "default"}))
        self.assertEqual(self.spec(life, "Job", "job-1")["completions"], 8)
        self.assertEqual(life.state(), sorted([*life.neighbours(), POOL[4:]]))
        self.assertEqual(life.kubernetes.names()[life.namespace], ["Job job-1", "Service job-1"])

    def done(self, life):
        """Once more, and then nothing is left to do."""
        done = self.migrate(life)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.arrived(life)
        again = self.migrate(life)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(self.changes(life), ([], [], []))
        self.arrived(life)

    def test_once_and_again(self):
        life = self.start()
        done = self.migrate(life)
        self.assertEqual(done.returncode, 0, done.stderr)
        # The workload is gone before the pool goes.
        self.assertEqual([(path, "Job job-1" in there) for path, there in life.timeline], [(POOL, False)])
        self.arrived(life)
        self.done(life)

    def test_dry_run(self):
        life = self.start()
        before = life.state(), life.kubernetes.names()
        done = self.migrate(life, "--dry-run")
        self.assertEqual((done.returncode, life.fake.requests), (0, []), done.stderr)
        self.assertEqual((life.state(), life.kubernetes.names()), before)
        words = [line.split()[:4] for line in done.stdout.splitlines()]
        self.assertEqual([" ".join(each[:4] if each[0] == "gcloud" else each[:2]) for each in words], [
            "gcloud container clusters get-credentials", "kubectl delete", "gcloud container node-pools delete",
            "gcloud container node-pools create", "gcloud container clusters get-credentials", "kubectl apply",
            "gcloud container clusters get-credentials", "kubectl delete"])

    @of_whole
    def test_a_failure_at_each_step(self):
        def kubectl(pattern):
            return lambda life: life.sandbox.answer("kubectl", pattern, stderr="no permission\n", rc=1, times=1)

        def google(method, path, times=1):
            return lambda life: life.fake.fail_next(method, path, 403, "no permission", times=times)
        steps = {
            "credentials": (google("GET", "/clusters/my-cluster$"), "Get credentials for cluster my-cluster"),
            "reading the Job": (kubectl("get job/job-1 *"), "Delete Job job-1"),
            "deleting the Job": (kubectl("delete job/job-1 *"), "Delete Job job-1"),
            "listing the pools": (google("GET", "/nodePools$"), "Delete node pool job-1-pool"),
            "describing the pool": (google("GET", "/nodePools/job-1-pool$"), "Delete node pool job-1-pool"),
            "deleting the pool": (google("DELETE", "/nodePools/job-1-pool$"), "Delete node pool job-1-pool"),
            "creating the pool": (google("POST", "/nodePools$"), "Create node pool job-1-pool"),
            "applying": (kubectl("apply *"), "Apply the manifests of job-1"),
        }
        for what, (fail, step) in steps.items():
            with self.subTest(what):
                life = self.start()
                fail(life)
                done = self.migrate(life)
                self.assertEqual(done.returncode, 1, done.stderr)
                at_once = what == "reading the Job" or step.startswith(("Create", "Apply"))
                self.assertIn(f"stopped at: {step}." if at_once else f"migrate.sh: failed:\n    {step}\n", done.stderr)
                if not step.startswith(("Create", "Apply")):
                    self.assertEqual(life.sent(), [], "something was created although something could not be deleted")
                    self.assertEqual([call for call in life.kubectl() if call[0] == "apply"], [])
                self.done(life)

    @of_whole
    def test_the_new_pool_has_no_room(self):
        """GKE keeps a pool that it could not create, with status ERROR: it is this workload's, and goes."""
        life = self.start()
        life.fake.node_pools[POOL[4:]] |= {"status": "ERROR", "placementPolicy": {"tpuTopology": "4x8"}}
        self.done(life)
        life = self.start()
        life.fake._operation_errors.append({})  # of the deletion
        life.fake.fail_operation("GCE_STOCKOUT")
        done = self.migrate(life)
        self.assertIn("stopped at: Create node pool job-1-pool.", done.stderr)
        life.fake.node_pools[POOL[4:]]["status"] = "ERROR"
        self.done(life)

    @of_whole
    def test_a_pool_of_somebody_else(self):
        life = self.start()
        life.fake.node_pools[POOL[4:]]["config"]["resourceLabels"] = {"flexslice": "job-10"}
        there = life.state()
        done = self.migrate(life)
        self.assertEqual(done.returncode, 1)
        self.assertIn("left: is not labeled flexslice=job-1, flexslice-namespace=default\n", done.stdout)
        self.assertIn("stopped at: Create node pool job-1-pool.", done.stderr)
        self.assertEqual((life.state(), life.sent(), life.deleted()), (there, [], []))

    @of_whole
    def test_pods_of_others(self):
        life = self.start()
        life.kubernetes.add("Pod", "eval-0", "team-b", spec={"nodeSelector": {"cloud.google.com/gke-nodepool": "job-1-pool"}})
        done = self.migrate(life)
        self.assertEqual((done.returncode, life.sent(), life.deleted()), (1, [], []))
        self.assertIn("pods of other workloads use it: team-b/eval-0 (--force deletes it anyway)", done.stderr)
        self.assertEqual(self.migrate(life, "--force").returncode, 0)
        self.arrived(life)

    @of_whole
    def test_what_the_user_has_applied_stays(self):
        """Somebody has done the last step by hand."""
        life = self.start()
        life.sandbox.answer("kubectl", "apply *", rc=1, times=1)
        self.assertEqual(self.migrate(life).returncode, 1)
        self.store(life, self.flexslice("compile", str(life.scripts / "new.yaml")))
        self.assertEqual(self.migrate(life).returncode, 0)
        self.assertEqual(self.changes(life), ([], [], []))


class Others(MigrateCase):
    """What else a change can be."""

    def test_no_difference(self):
        life = self.live(MULTI_HOST, MULTI_HOST)
        done = self.migrate(life)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", "Nothing to migrate: both describe the same.\n"))
        self.assertEqual((life.fake.requests, life.sandbox.calls()), ([], []))

    @of_whole
    def test_only_the_pool(self):
        """The Job is the same, and goes all the same: it would not survive its nodes."""
        life = self.live(MULTI_HOST, MULTI_HOST.replace("us-east5-b", "us-east5-a"), "--allow", "FS3012")
        for run in (1, 2):
            done = self.migrate(life)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(len(life.deleted()), int(run == 1))
            self.assertEqual(self.deleted(life), ["job/job-1"] * int(run == 1))
        self.assertEqual(life.fake.node_pools[POOL[4:]]["locations"], ["us-east5-a"])

    @of_whole
    def test_only_the_image(self):
        life = self.live(MULTI_HOST, MULTI_HOST.replace(":latest", ":2026-08"))
        for run in (1, 2):
            done = self.migrate(life)
            self.assertEqual((done.returncode, life.sent(), life.deleted()), (0, [], []), done.stderr)
            self.assertEqual(self.deleted(life), ["job/job-1"] * int(run == 1))

    @of_whole
    def test_another_name(self):
        life = self.live(MULTI_HOST, MULTI_HOST.replace("name: job-1", "name: job-2"))
        for _ in range(2):
            self.assertEqual(self.migrate(life).returncode, 0)
        self.assertEqual(life.state(), sorted([*life.neighbours(), POOL[4:].replace("job-1", "job-2")]))
        self.assertEqual(life.workload(), ["Job job-2", "Service job-2"])

    @of_whole
    def test_service_of_the_new_controller(self):
        """A Job's Service goes; the one of the same name that JobSet makes afterwards stays."""
        life = self.live(MULTI_HOST, MULTI_HOST + "  kind: jobset\n")
        self.assertEqual(self.migrate(life).returncode, 0)
        self.assertEqual(life.workload(), ["JobSet job-1"])
        self.store(life, yaml.safe_dump({"kind": "Service", "metadata": {"name": "job-1"}}))
        life.kubernetes.objects[life.namespace, "Service", "job-1"]["metadata"]["ownerReferences"] = [{"kind": "JobSet", "name": "job-1"}]
        self.assertEqual(self.migrate(life).returncode, 0)
        self.assertEqual(life.workload(), ["JobSet job-1", "Service job-1"])

    def test_one_service_name_of_two_controllers(self):
        """A LeaderWorkerSet's controller makes the Service of its name, if there is none: the other one goes before the wait for it, or comes after it."""
        spec = """\
apiVersion: flexslice/v1
name: chat
cluster: {name: my-cluster, location: us-east5}
tpu: {type: v6e, topology: 2x2, slices: 2}
provisioning: {model: on-demand, zones: [us-east5-b]}
workload: {kind: deployment, image: "registry.example/server:1", ports: [8000], readinessProbe: {httpGet: {path: /health, port: 8000}}}
"""
        deployment, group = self.directory / "deployment.yaml", self.directory / "group.yaml"
        deployment.write_text(spec, encoding="utf-8")
        group.write_text(spec.replace("2x2", "4x4").replace("kind: deployment", "kind: leaderworkerset"), encoding="utf-8")
        for old, new, wanted in (
                (deployment, group, ("service/chat ", "Apply the manifests of chat", "Wait until LeaderWorkerSet chat serves", "deployment/chat ")),
                (group, deployment, ("leaderworkerset/chat ", "Apply the manifests of chat", "Wait until Deployment chat serves", "service/chat-leader "))):
            with self.subTest(old=old.name):
                script = self.flexslice("diff", "--emit", "migrate", str(old), str(new), status=1)
                places = [script.index(text if text.startswith(("Apply", "Wait")) else "kubectl delete " + text) for text in wanted]
                self.assertEqual(places, sorted(places))
                self.assertEqual(old is group, "--cascade=foreground" in script)

    @of_whole
    def test_ray_in_a_queue_is_applied_once(self):
        old = MULTI_HOST.partition("  script:")[0].replace("  zones", "  queue: q\n  zones") + "  kind: raycluster\n  ray: {version: 2.51.0}\n"
        life = self.live(old, old.replace(":latest", ":2026-08"))
        applied = []
        for _ in range(2):
            done = self.migrate(life)
            self.assertEqual(done.returncode, 0, done.stderr)
            applied.append(sum(b"kind: RayCluster" in call.stdin for call in life.sandbox.calls("kubectl") if call.argv[0] == "apply"))
        self.assertEqual(applied, [1, 0])

    def test_cluster_in_place(self):
        old = MULTI_HOST.replace("location: us-east5", "location: us-east5\n  create: true")
        for name, text in (("a", old), ("b", old.replace("create: true", "create: true\n  version: 1.34.1-gke.1000000"))):
            (self.directory / f"{name}.yaml").write_text(text, encoding="utf-8")
        done = subprocess.run([FLEXSLICE, "diff", "--emit", "migrate", self.directory / "a.yaml", self.directory / "b.yaml"],
                              capture_output=True, encoding="utf-8", check=False)
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertIn("gcloud container clusters upgrade my-cluster", done.stdout)
        self.assertIn("--cluster-version=1.34.1-gke.1000000", done.stdout)


if __name__ == "__main__":
    unittest.main()
