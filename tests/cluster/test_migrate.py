"""migrate.sh, the script of `diff --emit migrate`, on a cluster: the real gcloud and kubectl, a Google on loopback, and a control plane
whose nodes are those of that Google's node pools.

A failure is injected at each step: the script stops, and run again it goes on, until it has arrived where it would have without
the failures.  What belongs to somebody else stays as it is and goes on, and no node is left that nothing needs.
"""

import contextlib
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import unittest
from pathlib import Path

import yaml

import report
from control_plane import ALL, SECONDS, ControlPlane, eventually
from gke import Gke
from nodes import MACHINES, ordinary_node, pools_of
from workloads import FLEXSLICE, ROOT, compile_spec, merged, with_chips

sys.path.append(str(ROOT / "tests/e2e"))
from fake_google import FakeGoogle  # noqa: E402  pylint: disable=wrong-import-position
from sandbox import Sandbox, require  # noqa: E402  pylint: disable=wrong-import-position

TABLE = report.Table("migrate")
SPEC = {
    "apiVersion": "flexslice/v1", "name": "t", "namespace": "migrate", "cluster": {"name": "c", "location": "us-east5"},
    "tpu": {"type": "v6e", "topology": "2x4", "machineType": "ct6e-standard-4t"}, "provisioning": {"model": "on-demand", "zones": ["us-east5-b"]},
    "workload": {"image": "run:1", "command": ["run"], "resources": {"cpu": "1", "memory": "1Gi"}},
}
NEIGHBOUR = merged(SPEC, {"name": "t-2", "namespace": "neighbour"})  # whose names begin alike
QUEUED = {"provisioning": {"queue": "q"}}
JOBSET = {"workload": {"kind": "jobset"}}
LWS = {"workload": {"kind": "leaderworkerset"}}
RAY = {"workload": {"command": None, "kind": "raycluster", "ray": {"version": "2.51.0"}}}
SHARED = {"volumes": [{"name": "out", "mountPath": "/out", "pvc": {"name": "out", "size": "1Ti", "class": "shared-rwx"}}]}
SERVER = {"tpu": {"topology": "2x2", "machineType": None, "slices": 2}, "workload": {"kind": "deployment", "ports": [8000], **SHARED}}
GROUPS = merged(LWS, {"tpu": {"slices": 2}, "workload": SHARED})
THREE = {"tpu": {"slices": 3}}
GROWN = {"workload": {"volumes": [merged(SHARED["volumes"][0], {"pvc": {"size": "2Ti"}})]}}
LARGER = {"tpu": {"topology": "4x4"}}
IMAGE = {"workload": {"image": "run:2"}}
# {what: (old, new, whether the node pool is another afterwards)}
CHANGES = {
    "a larger slice": ({}, LARGER, True),
    "a larger slice of a JobSet in a queue": (merged(JOBSET, QUEUED), merged(JOBSET, QUEUED, LARGER), True),
    "another image of a Job": ({}, IMAGE, False),
    "another image of a JobSet in a queue": (merged(JOBSET, QUEUED), merged(JOBSET, QUEUED, IMAGE), False),
    "another image of a LeaderWorkerSet": (LWS, merged(LWS, IMAGE), False),
    "another image of a RayCluster": (RAY, merged(RAY, IMAGE), False),
    "a Job becomes a JobSet": ({}, JOBSET, False),
    "another name": ({}, {"name": "other"}, True),
    "another name of a LeaderWorkerSet": (LWS, merged(LWS, {"name": "other"}), True),
    "another node pool of a LeaderWorkerSet": (LWS, merged(LWS, {"provisioning": {"nodePool": "other"}}), True),
    "a queue": ({}, QUEUED, False),
    "a replica more of a Deployment with a claim": (SERVER, merged(SERVER, THREE), True),
    "a replica less of a Deployment with a claim": (merged(SERVER, THREE), SERVER, True),
    "a group more of a LeaderWorkerSet with a claim": (GROUPS, merged(GROUPS, THREE), True),
    "a larger claim": (SERVER, merged(SERVER, GROWN), False),
}
OTHER = merged(IMAGE, {"name": "other"})
# Pools that somebody else has made: nothing but the order of the script keeps old and new apart.
ON, TO = ({"provisioning": {"create": False, "zones": None, "nodePool": name}} for name in ("from", "to"))
RAYJOB = merged(RAY, {"workload": {"kind": "rayjob", "script": "run"}})
# {what: (old, new)}; both have node pools at once.
BESIDE = {
    "a Job": ({}, OTHER),
    "a JobSet": (JOBSET, merged(JOBSET, OTHER)),
    "a JobSet in a queue": (merged(JOBSET, QUEUED), merged(JOBSET, QUEUED, OTHER)),
    "a RayJob": (RAYJOB, merged(RAYJOB, OTHER)),
    "a LeaderWorkerSet": (LWS, merged(LWS, OTHER)),
    "a Job on pools of others": (ON, merged(TO, OTHER)),
    "a Job of the same name on pools of others": (ON, merged(TO, IMAGE)),
    "a JobSet on pools of others": (merged(JOBSET, ON), merged(JOBSET, TO, OTHER)),
}
ONE = {"tpu": {"topology": "2x2", "machineType": None}, "workload": {"kind": "deployment", "ports": [8000]}}
TWO = merged(ONE, {"tpu": {"slices": 2}})
SPOT = {"provisioning": {"model": "spot"}}
AUTOSCALED = {"provisioning": {"autoscale": True}}
ELSEWHERE = {"provisioning": {"nodePool": "other"}}
PLAIN_GROUPS = merged(LWS, {"tpu": {"slices": 2}})
# {what: (old, new)}; none of the replicas that are ready is missed.
SERVING = {
    "one replica on another node pool": (ONE, merged(ONE, ELSEWHERE)),
    "one replica on a pool of Spot VMs": (ONE, merged(ONE, ELSEWHERE, SPOT)),
    "one replica on another autoscaled node pool": (merged(ONE, AUTOSCALED), merged(ONE, AUTOSCALED, ELSEWHERE)),
    "two replicas on another node pool": (TWO, merged(TWO, ELSEWHERE)),
    "a replica more": (TWO, merged(TWO, THREE)),
    "a replica more on Spot VMs": (merged(TWO, SPOT), merged(TWO, SPOT, THREE)),
    "a replica more on an autoscaled pool": (merged(TWO, AUTOSCALED), merged(TWO, AUTOSCALED, THREE)),
    "a group more": (PLAIN_GROUPS, merged(PLAIN_GROUPS, THREE)),
    "a group more on Spot VMs": (merged(PLAIN_GROUPS, SPOT), merged(PLAIN_GROUPS, SPOT, THREE)),
    "a group more on autoscaled pools": (merged(PLAIN_GROUPS, AUTOSCALED), merged(PLAIN_GROUPS, AUTOSCALED, THREE)),
}
GRACE = 3  # seconds that a program takes to end


def setUpModule():
    require("gcloud")


def tearDownModule():
    TABLE.finish()


def topology_of(pool):
    """Of a pool as Google describes it; pools of single hosts have none."""
    return pool.get("placementPolicy", {}).get("tpuTopology") or MACHINES[pool["config"]["machineType"]].alone


class World(contextlib.ExitStack):
    """A Google with one cluster, which is the control plane; a workload that runs there, and one of somebody else."""

    def __init__(self, case, old, new):
        super().__init__()
        self.plane, self.case, self.way = case.plane, case, ("--server-side", "--force-conflicts")
        self.gke = self.enter_context(Gke(case.plane))
        self.fake = self.enter_context(FakeGoogle(self._happened))
        config = yaml.safe_load(case.plane.kubeconfig.read_text(encoding="utf-8"))["clusters"][0]["cluster"]
        self.fake.control_plane = {"endpoint": config["server"].removeprefix("https://"),
                                   "masterAuth": {"clusterCaCertificate": config["certificate-authority-data"]}}
        self.fake.add_cluster("c", "us-east5")
        self.sandbox = self.enter_context(Sandbox(self.fake, kubernetes=True))
        self.sandbox.answer("gke-gcloud-auth-plugin", stdout=case.credential)
        self.folder = Path(self.enter_context(tempfile.TemporaryDirectory()))
        self.old, self.new, self.neighbour = self.made = [
            self._compile(name, spec) for name, spec in (("old", merged(SPEC, old)), ("new", merged(SPEC, new)), ("neighbour", NEIGHBOUR))]
        self.pools_of_others = [self._compile(f"pools-{number}", merged(SPEC, each, {"provisioning": {"create": None, "zones": ["us-east5-b"]}}))
                                for number, each in enumerate((old, new)) if each.get("provisioning", {}).get("create") is False]
        self.script = self.folder / "migrate.sh"
        run = subprocess.run([FLEXSLICE, "diff", "--emit", "migrate", self.old.source, self.new.source], capture_output=True, encoding="utf-8", check=False)
        assert run.returncode == 1, run.stderr
        self.callback(self.clear)
        self.script.write_text(run.stdout, encoding="utf-8")

    def _compile(self, name, spec):
        folder = self.folder / name
        folder.mkdir()
        return compile_spec(spec, folder)

    def _happened(self, request):
        """Google made or deleted a node pool."""
        if request.status == 200 and request.method == "POST" and request.path.endswith("/nodePools"):
            name, topology = request.body["nodePool"]["name"], topology_of(request.body["nodePool"])
            for made in self.made + self.pools_of_others:
                for command in made.commands().splitlines():
                    if f" {name} " in command and any(pool.topology == topology for pool in pools_of(command)):
                        return self.gke.provision(command)
            raise AssertionError(f"no spec has node pool {name} of {topology}")
        if request.status == 200 and request.path.endswith(":setSize"):
            self.gke.resize(request.path.rpartition("/")[2].partition(":")[0], request.body["nodeCount"])
        if request.status == 200 and request.method == "PUT" and "desiredNodePoolAutoscaling" in request.body.get("update", {}):
            change = request.body["update"]
            self.gke.pools[change["desiredNodePoolId"]].largest = change["desiredNodePoolAutoscaling"]["maxNodeCount"]
        if request.status == 200 and request.method == "DELETE":
            self.gke.remove_pools(request.path.rpartition("/")[2])
        return None

    def start(self):
        """Both workloads run, on pools as their provision.sh makes them."""
        for made in self.pools_of_others:
            done = self.sandbox.run_script(made.path("provision.sh"))
            assert done.returncode == 0, done.stderr
        for made in (self.neighbour, self.old):
            self.plane.namespace(made.namespace)
            done = self.sandbox.run_script(made.path("provision.sh"))
            assert done.returncode == 0, done.stderr
            self.apply(made)
        self.others = self.state(self.neighbour)

    def apply(self, made):
        for path in made.files():
            self.plane.kubectl("apply", *self.way, "-f", path)
        made.wait_started(self.plane)

    def migrate(self, *arguments):
        self.fake.requests.clear()
        self.sandbox.forget_calls()
        return self.sandbox.run_script(self.script, *arguments)

    def state(self, made):
        """What there is of a workload: objects, pods, and the pools of its Google."""
        objects = [self.plane.kubectl("get", "-f", made.path("manifests.yaml"), "--ignore-not-found", "-o",
                                      "jsonpath={.items[*].metadata.uid}{.metadata.uid} {.items[*].spec}{.spec}").stdout]
        pods = sorted((pod["metadata"]["name"], pod["metadata"]["uid"]) for pod in made.pods(self.plane))
        return objects, pods

    def pools(self):
        return {name.rpartition("/")[2]: topology_of(pool) for name, pool in self.fake.node_pools.items()}

    def claims(self):
        """The claims with their sizes, and what tells that they are the same ones."""
        return {each["metadata"]["uid"]: each["spec"]["resources"]["requests"]["storage"] for each in self.plane.list("persistentvolumeclaims", self.new.namespace)}

    def writes(self):
        """The requests by which Google changed something."""
        return [f"{request.method} {request.path}" for request in self.fake.requests if request.method != "GET"]

    def arrived(self):
        """The new workload runs on its own nodes, nothing of the old is left, and others have noticed nothing."""
        case, image = self.case, self.new.spec["workload"]["image"]

        def images():
            return {container["image"] for pod in self.new.pods(self.plane) for container in pod["spec"]["containers"]}
        if self.new.controller["kind"] != "RayCluster":  # whose pods go on, as the table of changes says
            eventually(lambda: images() == {image}, lambda: f"pods of another image than {image}: {images()}")
        if self.new.controller["kind"] == "LeaderWorkerSet":
            groups = " ".join([str(self.new.slices)] * 2)
            eventually(lambda: self.plane.kubectl("get", "leaderworkerset", self.new.name, "-n", self.new.namespace, "-o",
                                                  "jsonpath={.status.updatedReplicas} {.status.readyReplicas}").stdout == groups, "groups are still replaced")
        # Until then old pods may pass for new ones; and while a group is replaced, its new leader is alone for a moment.
        self.new.wait_started(self.plane)
        wanted = {pool.name: pool.topology for made in (self.new, self.neighbour, *self.pools_of_others) for pool in pools_of(made.commands())}
        case.assertEqual(self.pools(), wanted)
        self.check_nodes()
        case.assertEqual(self.state(self.neighbour), self.others)
        kinds = {(each["kind"], each["metadata"]["name"]) for each in self.new.objects()}
        for each in self.old.objects():
            kind, name = each["kind"], each["metadata"]["name"]
            if (kind, name) not in kinds and "kueue" not in each["apiVersion"]:
                found = self.plane.kubectl("get", kind.lower(), name, "-n", self.old.namespace, "--ignore-not-found", "-o",
                                           "jsonpath={.metadata.ownerReferences[*].kind}{.metadata.name}").stdout
                case.assertIn(found, ("", f"JobSet{name}"))  # JobSet makes a Service of the name that a Job's had.
        case.assertEqual(self.gke.trouble, [])
        case.assertEqual((self.fake.unknown, self.fake.escapes), ([], []))
        case.assertEqual(list((self.sandbox.root / "tmp").iterdir()), [])

    def check_nodes(self):
        """The nodes are those of the pools that Google has."""
        nodes = {node["metadata"]["labels"]["cloud.google.com/gke-nodepool"] for node in self.plane.list("nodes")}
        self.case.assertEqual(nodes - {"default-pool"}, set(self.pools()))

    def check_done(self):
        """Once more: it has arrived, and does nothing."""
        before = self.state(self.new)
        done = self.migrate()
        self.case.assertEqual((done.returncode, self.writes()), (0, []), done.stderr)
        self.case.assertEqual(self.state(self.new), before)
        self.arrived()

    def clear(self):
        """The cluster is empty for the next one."""
        for made in self.made:
            for path in made.files():
                self.plane.kubectl("delete", "--ignore-not-found", "--wait=false", "-f", path, check=False)
        # What Kueue holds back until its queue is gone would go under the next one.
        for made in self.made:
            for path in made.files():
                self.plane.kubectl("wait", "--for=delete", f"--timeout={SECONDS}s", "-f", path, check=False)
        eventually(lambda: not self.plane.list("pods"), "pods are still there")
        self.gke.remove_pools()


class Watch:
    """What a look at the pods of the old namespace said, in order; a context manager."""

    def __init__(self, world, look):
        self.world, self.look, self.seen, self.trouble = world, look, [], []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *exception):
        self._stop.set()
        self._thread.join()

    def _run(self):
        while not self._stop.wait(0.1):
            try:
                now = self.look(self.world.plane.list("pods", self.world.old.namespace))
            except Exception:  # pylint: disable=broad-except
                self.trouble.append(traceback.format_exc())
                return
            if now != (self.seen or [None])[-1]:
                self.seen.append(now)


def running_sides(world):
    """A look for which sides have running programs."""
    sides = {made.spec["workload"]["image"]: side for side, made in (("old", world.old), ("new", world.new))}
    return lambda pods: {sides[pod["spec"]["containers"][0]["image"]] for pod in pods if with_chips(pod) and pod["status"]["phase"] == "Running"}


def ready_pods(pods):
    """A look for how many pods serve."""
    conditions = [{each["type"]: each["status"] for each in pod["status"].get("conditions", [])} for pod in pods if "deletionTimestamp" not in pod["metadata"]]
    return sum(each.get("Ready") == "True" for each in conditions)


class Migrate(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.plane = cls.enterClassContext(ControlPlane(ALL))
        cls.plane.create("nodes", ordinary_node("spare", None, None))
        cls.plane.kubectl("apply", "-f", "-", stdin="apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: shared-rwx}\n"
                          "provisioner: filestore\nallowVolumeExpansion: true\n")
        cls.plane.kubectl("create", "serviceaccount", "user", "-n", "default")
        cls.plane.kubectl("create", "clusterrolebinding", "user", "--clusterrole=cluster-admin", "--serviceaccount=default:user")
        token = cls.plane.kubectl("create", "token", "user", "-n", "default", "--duration=4h").stdout.strip()
        cls.credential = f'{{"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1beta1", "status": {{"token": "{token}"}}}}'

    def test_each_change(self):
        for what, (old, new, other) in CHANGES.items():
            with self.subTest(what), World(self, old, new) as world:
                world.start()
                before, claims = (world.pools(), world.state(world.old)), world.claims()
                done = world.migrate("--dry-run")
                self.assertEqual((done.returncode, world.fake.requests), (0, []), done.stderr)
                self.assertEqual((world.pools(), world.state(world.old)), before)
                done = world.migrate()
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(bool(world.writes()), other, done.stdout)
                world.arrived()
                world.check_done()
                self.assertEqual(world.claims().keys(), claims.keys())
                TABLE.row(what, f"arrives{' on another node pool' if other else ''}; again, it does nothing")

    def check_beside(self, world):
        """Both have nodes at once: nothing is given up before there are new nodes, and never do two programs do the same work."""
        serves = world.new.controller["kind"] == "LeaderWorkerSet"
        world.start()
        world.gke.grace = GRACE
        if world.new.spec["provisioning"].get("create", True):
            before = world.pools(), world.state(world.old)
            world.fake.fail_next("POST", "/nodePools$", 403, "no capacity")
            done = world.migrate()
            self.assertEqual((done.returncode, world.pools(), world.state(world.old)), (1, *before), done.stderr)
        with Watch(world, running_sides(world)) as watch:
            done = world.migrate()
            self.assertEqual(done.returncode, 0, done.stderr)
            eventually(lambda: watch.trouble or watch.seen[-1] == {"new"}, lambda: f"seen: {watch.seen}")
        self.assertEqual(watch.trouble, [])
        self.assertEqual(watch.seen, [{"old"}, {"old", "new"}, {"new"}] if serves else [{"old"}, set(), {"new"}])
        world.arrived()
        world.check_done()

    def test_old_and_new_have_nodes_at_once(self):
        for what, (old, new) in BESIDE.items():
            with self.subTest(what), World(self, old, new) as world:
                self.check_beside(world)
                TABLE.row(f"{what}, old and new have nodes at once", "pools first; two jobs never run at once, one server always does")

    def test_replicas_serve_throughout(self):
        for what, (old, new) in SERVING.items():
            with self.subTest(what), World(self, old, new) as world:
                world.start()
                world.gke.grace = GRACE
                before = eventually(lambda: ready_pods(self.plane.list("pods", world.old.namespace)) == world.old.pods_wanted() and world.old.pods_wanted(), "not ready")
                with Watch(world, ready_pods) as watch:
                    done = world.migrate()
                    self.assertEqual(done.returncode, 0, done.stderr)
                    world.arrived()
                self.assertEqual(watch.trouble, [])
                self.assertGreaterEqual(min(watch.seen), before, watch.seen)
                TABLE.row(f"{what}, while it serves", f"{before} ready pods, never fewer")

    def test_fields_that_go(self):
        """However the old objects were applied, what the new ones lack is taken away."""
        old = merged(ONE, {"workload": {"env": {"A": "1", "B": "2"}, "tolerations": [{"key": "k", "operator": "Exists"}]}})
        for way in ((), ("--server-side", "--force-conflicts")):
            with self.subTest(way), World(self, old, merged(ONE, {"workload": {"env": {"B": "2"}}})) as world:
                world.way = way
                world.start()
                done = world.migrate()
                self.assertEqual(done.returncode, 0, done.stderr)
                template = self.plane.kubectl("get", "deployment/t", "-n", "migrate", "-o",
                                              "jsonpath={.spec.template.spec.containers[*].env[*].name} {.spec.template.spec.tolerations}").stdout
                self.assertEqual(template.strip(), "B")
                world.arrived()
                world.check_done()
                TABLE.row(f"{' '.join(('kubectl apply', *way))}, then a variable less", "the variable is gone")

    def check_failures(self, steps):
        """Each run fails at another step; the last arrives.  {step: (failure, whether the workload is still there, topology of its pool)}"""
        with World(self, {}, LARGER) as world:
            world.start()
            for step, (fail, there, topology) in steps.items():
                fail(world)
                done = world.migrate()
                self.assertEqual(done.returncode, 1, f"{step}: {done.stderr}")
                self.assertRegex(done.stderr, "failed|stopped at", step)
                found = self.plane.get("jobs", world.old.namespace, world.old.name)
                self.assertEqual((bool(found), world.pools().get("t-pool"), world.state(world.neighbour)), (there, topology, world.others), step)
                world.check_nodes()
                TABLE.row(f"failure at {step}", "stops; run again, it goes on")
            done = world.migrate()
            self.assertEqual(done.returncode, 0, done.stderr)
            world.arrived()
            world.check_done()

    def test_a_failure_at_each_step(self):
        def kubectl(pattern):
            return lambda world: world.sandbox.answer("kubectl", pattern, stderr="no permission\n", rc=1, times=1)

        def google(method, path):
            return lambda world: world.fake.fail_next(method, path, 403, "no permission")
        old, new = (spec["tpu"]["topology"] for spec in (SPEC, merged(SPEC, LARGER)))
        self.check_failures({
            "reading the workload": (kubectl("get job/t *"), True, old),
            "listing the pools": (google("GET", "/nodePools$"), False, old),
            "describing the pool": (google("GET", "/nodePools/t-pool$"), False, old),
            "deleting the pool": (google("DELETE", "/nodePools/t-pool$"), False, old),
            "creating the pool": (google("POST", "/nodePools$"), False, None),
            "applying": (kubectl("apply *"), False, new)})

    def test_the_pool_goes_when_the_workload_cannot(self):
        """Nodes are billed: what fails before them is reported at the end."""
        self.check_failures({
            "getting credentials": (lambda world: world.fake.fail_next("GET", "/clusters/c$", 403, "no permission"), True, None),
            "deleting the workload": (lambda world: world.sandbox.answer("kubectl", "delete job/t *", stderr="no permission\n", rc=1, times=1), True, None)})

    def test_groups_are_not_away_for_long(self):
        """The scheduler would look at the leader of a group that moves after 5 minutes: it has to be near pods that are just ending."""
        with World(self, GROUPS, merged(GROUPS, {"provisioning": {"nodePool": "other"}})) as world:
            world.start()
            world.gke.grace = GRACE
            started = time.monotonic()
            done = world.migrate()
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertLess(time.monotonic() - started, 280)
            world.arrived()
            TABLE.row("groups of a LeaderWorkerSet move", "each is away until its old pods are gone")

    def test_a_claim_that_others_mount(self):
        """It keeps its size until they are gone, or the person says that it may grow under them."""
        guest = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "guest", "namespace": "migrate"}, "spec": {
            "containers": [{"name": "guest", "image": "guest"}], "volumes": [{"name": "out", "persistentVolumeClaim": {"claimName": "out"}}]}}
        for arguments, rc, size in (([], 1, "1Ti"), (["--force"], 0, "2Ti")):
            with self.subTest(arguments), World(self, SERVER, merged(SERVER, GROWN)) as world:
                world.start()
                self.plane.create("pods", guest, "migrate")
                done = world.migrate(*arguments)
                self.plane.delete("pods", "migrate", "guest")
                self.assertEqual((done.returncode, "guest" in done.stderr, list(world.claims().values())), (rc, rc == 1, [size]), done.stderr)
                done = world.migrate()
                self.assertEqual((done.returncode, list(world.claims().values())), (0, ["2Ti"]), done.stderr)
        TABLE.row("pods of somebody else mount the claim", "stops and names them; with --force it grows")

    def test_the_workload_of_somebody_else_on_the_pool(self):
        """A pool on which pods of others run is not deleted, and they go on."""
        guest = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "guest", "namespace": "neighbour"}, "spec": {
            "nodeSelector": {"cloud.google.com/gke-nodepool": "t-pool"}, "tolerations": [{"operator": "Exists"}],
            "containers": [{"name": "guest", "image": "guest"}]}}
        with World(self, {}, LARGER) as world:
            world.start()
            self.plane.create("pods", guest, "neighbour")
            eventually(lambda: self.plane.get("pods", "neighbour", "guest")["status"]["phase"] == "Running", "the guest does not run")
            done = world.migrate()
            self.assertEqual((done.returncode, world.writes()), (1, []), done.stdout)
            self.assertIn("neighbour/guest", done.stderr)
            self.assertEqual(self.plane.get("pods", "neighbour", "guest")["status"]["phase"], "Running")
            self.plane.delete("pods", "neighbour", "guest")
            done = world.migrate()
            self.assertEqual(done.returncode, 0, done.stderr)
            world.arrived()
            TABLE.row("pods of somebody else on the pool", "stops and names them; when they are gone, it arrives")


if __name__ == "__main__":
    unittest.main()
