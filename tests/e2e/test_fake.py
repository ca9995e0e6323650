"""Proves the tools of this folder: the real gcloud works against fake_google.py, and sandbox.py records faithfully.

Run `python3 -m unittest discover -s tests/e2e`.  Without gcloud its classes are skipped, under CI that is a failure.
The observations are those of gcloud 528.0.0; the ones that generated scripts rely on have a test of their own.
"""

import http.client
import json
import os
import re
import shlex
import subprocess
import sys
import unittest
import urllib.error
import urllib.request
from pathlib import Path

import fake_google
from fake_google import PROJECT, FakeGoogle
from sandbox import Sandbox, of_whole, require, sample

AT = "--cluster=c1 --location=us-central1"

# The two node-pools create commands of the guide, placeholders filled, and the bodies that gcloud makes of them.
SINGLE_HOST = f"""
    gcloud container node-pools create np1 {AT} --node-locations=us-central1-a --machine-type=ct6e-standard-4t
    --reservation-affinity=none --enable-autoscaling --min-nodes=0 --max-nodes=1 --num-nodes 0 --flex-start"""
SINGLE_HOST_POOL = {
    "name": "np1", "initialNodeCount": 0, "locations": ["us-central1-a"],
    "autoscaling": {"enabled": True, "minNodeCount": 0, "maxNodeCount": 1},
    "config": {"machineType": "ct6e-standard-4t", "flexStart": True,
               "reservationAffinity": {"consumeReservationType": "NO_RESERVATION"}},
    "management": {"autoRepair": True, "autoUpgrade": True},
    "upgradeSettings": {"maxSurge": 1}}
MULTI_HOST = f"""
    gcloud container node-pools create np2 {AT} --node-locations=us-central1-a --machine-type=ct6e-standard-4t
    --tpu-topology=4x4 --flex-start --enable-autoscaling --num-nodes=0 --max-nodes=2 --reservation-affinity=none
    --no-enable-autorepair"""
MULTI_HOST_POOL = SINGLE_HOST_POOL | {
    "name": "np2",
    "autoscaling": {"enabled": True, "maxNodeCount": 2},
    "placementPolicy": {"tpuTopology": "4x4"},
    "management": {"autoRepair": False, "autoUpgrade": True}}


class GcloudCase(unittest.TestCase):
    """Base of the tests that run the real gcloud: one server and home a class, fresh state a test."""

    @classmethod
    def setUpClass(cls):
        require("gcloud")
        cls.fake = cls.enterClassContext(FakeGoogle())
        cls.sandbox = cls.enterClassContext(Sandbox(cls.fake, warm=False))

    def setUp(self):
        self.fake.reset()

    def tearDown(self):
        self.assertEqual(self.fake.unknown, [], "gcloud asked for something the fake does not know")
        self.assertEqual(self.fake.escapes, [], "gcloud tried to leave loopback")

    def run_ok(self, command):
        done = self.sandbox.run(*shlex.split(command))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def run_fails(self, command, message):
        done = self.sandbox.run(*shlex.split(command))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(message, done.stderr)
        self.assertEqual(done.stdout, "")


class ClustersAndPolicies(GcloudCase):
    """Everything but node pools."""

    def test_services_enable(self):
        self.run_ok("gcloud services enable container.googleapis.com")
        self.assertEqual(self.fake.services, {f"projects/{PROJECT}/services/container.googleapis.com": "ENABLED"})

    @of_whole
    def test_services_enable_several(self):
        self.run_ok("gcloud services enable container.googleapis.com compute.googleapis.com")
        self.assertEqual(len(self.fake.services), 2)

    @of_whole
    def test_cluster_life(self):
        self.run_ok("gcloud container clusters create c1 --location=us-central1 --num-nodes=1")
        [key] = self.fake.clusters
        self.assertEqual(key, f"projects/{PROJECT}/locations/us-central1/clusters/c1")
        self.assertEqual(list(self.fake.node_pools), [f"{key}/nodePools/default-pool"])
        shown = self.run_ok("gcloud container clusters describe c1 --location=us-central1 --format='value(status)'")
        self.assertEqual(shown.stdout, "RUNNING\n")
        self.run_ok("gcloud container clusters delete c1 --location=us-central1 --quiet")
        self.assertEqual((self.fake.clusters, self.fake.node_pools), ({}, {}))
        self.run_fails("gcloud container clusters delete c1 --location=us-central1 --quiet", "code=404")

    @of_whole
    def test_create_autopilot_cluster(self):
        self.run_ok("gcloud container clusters create-auto c1 --location=us-central1")
        [cluster] = self.fake.clusters.values()
        self.assertEqual(cluster["autopilot"], {"enabled": True})
        self.run_fails("gcloud container clusters create-auto c1 --location=us-central1", "code=409")

    @of_whole
    def test_get_credentials(self):
        self.fake.add_cluster("c1", "us-central1")
        self.sandbox.kubeconfig.unlink(missing_ok=True)
        done = self.run_ok("gcloud container clusters get-credentials c1 --location=us-central1")
        self.assertEqual(done.stdout, "")
        self.assertIn("current-context: gke_test-project_us-central1_c1\n", self.sandbox.kubeconfig.read_text())

    @of_whole
    def test_workload_policy_life(self):
        self.run_ok("gcloud compute resource-policies create workload-policy p --type=HIGH_THROUGHPUT"
                    " --accelerator-topology=2x2x2 --region=us-central1")
        [key] = self.fake.policies
        self.assertEqual(key, f"projects/{PROJECT}/regions/us-central1/resourcePolicies/p")
        self.assertEqual(self.fake.sent("POST", "/resourcePolicies$"), [{
            "name": "p", "region": "us-central1",
            "workloadPolicy": {"type": "HIGH_THROUGHPUT", "acceleratorTopology": "2x2x2"}}])
        shown = self.run_ok("gcloud compute resource-policies describe p --region=us-central1 --format='value(name)'")
        self.assertEqual(shown.stdout, "p\n")
        self.run_ok("gcloud compute resource-policies delete p --region=us-central1 --quiet")
        self.run_fails("gcloud compute resource-policies delete p --region=us-central1 --quiet", "was not found")


class NodePools(GcloudCase):
    """Create, describe and delete."""

    def sent_pool(self):
        """The node pool of the only create request, without the scopes that gcloud adds."""
        [body] = self.fake.sent("POST", "/nodePools$")
        self.assertEqual(body["parent"], f"projects/{PROJECT}/locations/us-central1/clusters/c1")
        del body["nodePool"]["config"]["oauthScopes"]
        return body["nodePool"]

    @of_whole
    def test_single_host_pool_of_the_guide(self):
        self.fake.add_cluster("c1", "us-central1")
        self.run_ok(SINGLE_HOST)
        self.assertEqual(self.sent_pool(), SINGLE_HOST_POOL)
        described = self.run_ok(f'gcloud container node-pools describe np1 {AT} --format="get(config.flexStart)"')
        self.assertEqual((described.stdout, described.stderr), ("True\n", ""))

    def test_multi_host_pool_of_the_guide(self):
        self.fake.add_cluster("c1", "us-central1")
        self.run_ok(MULTI_HOST)
        self.assertEqual(self.sent_pool(), MULTI_HOST_POOL)

    @of_whole
    def test_pool_with_placement_policy_spot_reservation_and_queue(self):
        # gcloud sends what excludes itself without a word, so one call shows all four flags.
        self.fake.add_cluster("c1", "us-central1")
        self.fake.add_policy("p", "us-central1")
        self.run_ok(f"gcloud container node-pools create np3 {AT} --num-nodes=0 --placement-policy=p --spot"
                    " --reservation-affinity=specific --reservation=r --enable-queued-provisioning")
        pool = self.sent_pool()
        self.assertEqual(pool["placementPolicy"], {"policyName": "p"})
        self.assertEqual(pool["config"], {
            "spot": True, "reservationAffinity": {"consumeReservationType": "SPECIFIC_RESERVATION",
                                                  "key": "compute.googleapis.com/reservation-name", "values": ["r"]}})
        self.assertEqual(pool["queuedProvisioning"], {"enabled": True})
        self.run_fails("gcloud compute resource-policies delete p --region=us-central1 --quiet", "already being used")

    @of_whole
    def test_create_refused(self):
        self.run_fails(SINGLE_HOST, "message=Not found: projects/test-project/locations/us-central1/clusters/c1.")
        self.fake.add_cluster("c1", "us-central1")
        self.fake.fail_next("POST", "/nodePools$", 403, "Required permission is missing.")
        self.run_fails(SINGLE_HOST, "code=403, message=Required permission is missing.")
        self.assertEqual(self.fake.node_pools, {})
        self.fake.add_node_pool("np1", "c1", "us-central1")
        self.run_fails(SINGLE_HOST, "code=409, message=Already exists:")

    @of_whole
    def test_create_ends_with_an_error(self):
        self.fake.add_cluster("c1", "us-central1")
        self.fake.fail_operation("no capacity in us-central1-a")
        self.run_fails(SINGLE_HOST, "no capacity in us-central1-a")
        self.assertEqual(len(self.fake.node_pools), 1)

    @of_whole
    def test_delete_pool(self):
        self.fake.add_cluster("c1", "us-central1")
        self.fake.add_node_pool("np1", "c1", "us-central1")
        self.run_fails(f"gcloud container node-pools delete np1 {AT}", "not in an interactive session")
        self.assertEqual(len(self.fake.node_pools), 1)
        self.run_ok(f"gcloud container node-pools delete np1 {AT} --quiet")
        self.assertEqual(self.fake.node_pools, {})
        self.run_fails(f"gcloud container node-pools delete np1 {AT} --quiet", "code=404")


class Guards(GcloudCase):
    """`list --filter`, which the generated scripts ask before they create or delete.

    The warnings are why a script should write `name~^N$` and `region=R`, and compare the text that comes back.
    """

    def list_pools(self, pattern):
        return f"gcloud container node-pools list {AT} --filter='{pattern}' --format='value(name)'"

    def list_clusters(self, pattern):
        return f"gcloud container clusters list --location=us-central1 --filter='{pattern}' --format='value(name)'"

    def list_policies(self, pattern):
        return f"gcloud compute resource-policies list --filter='{pattern}' --format='value(name)'"

    def printed(self, command):
        """What a successful command writes to stdout and stderr."""
        done = self.run_ok(command)
        return done.stdout, done.stderr

    @of_whole
    def test_list_pools(self):
        self.fake.add_cluster("c1", "us-central1")
        absent = "WARNING: The following filter keys were not present in any resource : name\n"
        self.assertEqual(self.printed(self.list_pools("name=np1")), ("", absent))  # no pools at all: rc 0, a warning
        self.fake.add_node_pool("np1", "c1", "us-central1")
        self.assertEqual(self.printed(self.list_pools("name=np1")), ("np1\n", ""))
        self.assertEqual(self.printed(self.list_pools("name=other")), ("", ""))

    @of_whole
    def test_list_pools_with_a_longer_name_beside(self):
        self.fake.add_cluster("c1", "us-central1")
        self.fake.add_node_pool("np1", "c1", "us-central1")
        self.fake.add_node_pool("np1-0", "c1", "us-central1")
        stdout, stderr = self.printed(self.list_pools("name=np1"))
        self.assertEqual(stdout, "np1\n")
        self.assertIn("name=np1 currently does not match but will match in the near future", stderr)
        self.assertEqual(self.printed(self.list_pools("name~^np1$")), ("np1\n", ""))

    @of_whole
    def test_list_pools_of_a_missing_cluster(self):
        self.run_fails(self.list_pools("name=np1"), "code=404, message=Not found:")

    @of_whole
    def test_list_clusters(self):
        absent = "WARNING: The following filter keys were not present in any resource : name\n"
        self.fake.add_cluster("c1", "us-east5")
        self.assertEqual(self.printed(self.list_clusters("name=c1")), ("", absent))  # none there: rc 0, a warning
        self.fake.add_cluster("c1", "us-central1")
        self.assertEqual(self.printed(self.list_clusters("name=c1")), ("c1\n", ""))
        self.assertEqual(self.printed(self.list_clusters("name~^c$")), ("", ""))

    @of_whole
    def test_list_clusters_refused(self):
        self.fake.fail_next("GET", "/clusters$", 403, "no permission")
        self.run_fails(self.list_clusters("name=c1"), "code=403, message=no permission")

    @of_whole
    def test_list_policies(self):
        absent = "WARNING: The following filter keys were not present in any resource : name, region\n"
        self.assertEqual(self.printed(self.list_policies("name=p AND region=us-central1")), ("", absent))
        self.fake.add_policy("p", "europe-west12")
        self.fake.add_policy("p", "europe-west1")
        self.fake.add_policy("p-0", "europe-west1")
        self.assertEqual(self.printed(self.list_policies("name~^p$ AND region=europe-west1")), ("p\n", ""))
        # `:` is a substring match and takes europe-west12 too.
        stdout, stderr = self.printed(self.list_policies("name~^p$ AND region:europe-west1"))
        self.assertEqual(stdout, "p\np\n")
        self.assertIn("currently matches but will not match in the near future", stderr)

    @of_whole
    def test_list_policies_refused(self):
        # By default a refused list is an empty one with rc 0; a property makes it the error it is.
        command = self.list_policies("name~^p$ AND region=us-central1")
        self.fake.fail_next("GET", "/resourcePolicies$", 403, "no permission", times=2)
        stdout, stderr = self.printed(command)
        self.assertEqual(stdout, "")
        self.assertIn("WARNING: Some requests did not succeed.\n - no permission", stderr)
        self.run_fails(f"env CLOUDSDK_COMPUTE_ALLOW_PARTIAL_ERROR=false {command}", "no permission")


class Warm(GcloudCase):
    """warm_gcloud.py: what a fork does is what a gcloud of its own does."""

    def seen(self, sandbox, command):
        self.fake.reset()
        self.fake.add_cluster("c1", "us-central1")
        self.fake.add_node_pool("np", "c1", "us-central1")
        done = sandbox.run("gcloud", *shlex.split(command))
        asked = [(request.method, re.sub(r"operation-\d+", "operation", request.path), str(request.body)) for request in self.fake.requests]
        return done.returncode, done.stdout, done.stderr.replace(".", ""), list(dict.fromkeys(asked))  # it asks and shows a dot until the work is done

    def test_both_do_the_same(self):
        with Sandbox(self.fake) as warm:
            self.assertIn("AF_UNIX", (warm.root / "bin/gcloud").read_text())
            # Each starts a gcloud of its own, which takes a second.
            for command in sample((SINGLE_HOST.strip().removeprefix("gcloud"), f"container node-pools list {AT}", f"container node-pools delete np {AT} --quiet",
                            f"container node-pools describe nobody {AT}", f"container node-pools delete np {AT}", "container node-pools create",
                            "compute resource-policies list", "config get-value project", "services enable container.googleapis.com"), 4):
                with self.subTest(command):
                    self.assertEqual(self.seen(warm, command), self.seen(self.sandbox, command))


class Server(unittest.TestCase):
    """What FakeGoogle promises to tests, asked for directly."""

    def fetch(self, url, proxy=None):
        """Status and JSON body of a GET."""
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": proxy} if proxy else {}))
        try:
            with opener.open(url, timeout=10) as response:
                return response.status, json.load(response)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    def test_planned_failures_are_used_up(self):
        with FakeGoogle() as fake:
            cluster = f"{fake.url}/v1/projects/{PROJECT}/locations/us-east5/clusters/c1"
            fake.add_cluster("c1", "us-east5")
            fake.fail_next("GET", "/c1$", 503, "come back later", times=2)
            self.assertEqual([self.fetch(cluster)[0] for _ in range(3)], [503, 503, 200])
            self.assertEqual([request.status for request in fake.requests], [503, 503, 200])

    def test_state_is_apart_by_project_and_location(self):
        with FakeGoogle() as fake:
            fake.add_cluster("c1", "us-east5")
            for place, status in (("projects/test-project/locations/us-east5", 200),
                                  ("projects/test-project/locations/us-east5-b", 404),
                                  ("projects/another/locations/us-east5", 404)):
                self.assertEqual(self.fetch(f"{fake.url}/v1/{place}/clusters/c1")[0], status, place)
            everywhere = self.fetch(f"{fake.url}/v1/projects/test-project/locations/-/clusters")[1]
            self.assertEqual([cluster["name"] for cluster in everywhere["clusters"]], ["c1"])

    def test_error_body(self):
        with FakeGoogle() as fake:
            status, body = self.fetch(f"{fake.url}/v1/projects/p/locations/l/clusters/c/nodePools")
            self.assertEqual(status, 404)
            error = body["error"]
            self.assertEqual((error["code"], error["message"], error["status"]),
                             (404, "Not found: projects/p/locations/l/clusters/c.", "NOT_FOUND"))
            self.assertEqual(fake.unknown, [])
            self.fetch(f"{fake.url}/v1/what")
            self.assertEqual(fake.unknown, ["GET /v1/what"])

    def test_leaving_loopback_shows(self):
        with FakeGoogle() as fake:
            self.assertEqual(self.fetch("http://example.com/x", proxy=fake.url)[0], 502)
            tunnel = http.client.HTTPSConnection("127.0.0.1", fake.port, timeout=10)
            tunnel.set_tunnel("example.com", 443)
            self.assertRaises(OSError, tunnel.connect)
            self.assertEqual(fake.escapes, ["GET http://example.com/x", "CONNECT example.com:443"])
            self.assertEqual(fake.requests, [])

    def test_as_a_program(self):
        with subprocess.Popen([sys.executable, fake_google.__file__], text=True,
                              stdout=subprocess.PIPE) as program:
            try:
                port = int(program.stdout.readline())
                self.fetch(f"http://127.0.0.1:{port}/v1/projects/p/services/s")
                request = json.loads(program.stdout.readline())
            finally:
                program.terminate()
        self.assertEqual((request["method"], request["path"], request["status"]),
                         ("GET", "/v1/projects/p/services/s", 200))


class StandIns(unittest.TestCase):
    """The recording stand-ins and the way scripts are run."""

    def setUp(self):
        self.sandbox = self.enterContext(Sandbox())

    def script(self, text):
        path = Path(self.sandbox.root, "script.sh")
        path.write_text(text, encoding="utf-8")
        return path

    def test_arguments_come_back_byte_for_byte(self):
        arguments = [bytes(range(1, 256)), b"", b"two\nlines\n", b"\xff\xfe", "\u00e9 *?[x]".encode(), b"-n", b"\\"]
        self.sandbox.run("gcloud", *arguments)
        [call] = self.sandbox.calls("gcloud")
        self.assertEqual([os.fsencode(argument) for argument in call.argv], arguments)

    def test_calls_keep_their_order_and_input(self):
        done = self.sandbox.run_script(self.script(
            'gcloud one "$1"\nprintf "a: 1\\n" | kubectl apply -f -\nkubectl get pods\n'), "x y")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertEqual([(call.name, call.argv, call.stdin) for call in self.sandbox.calls()], [
            ("gcloud", ["one", "x y"], None),
            ("kubectl", ["apply", "-f", "-"], b"a: 1\n"),
            ("kubectl", ["get", "pods"], None)])
        self.sandbox.forget_calls()
        self.assertEqual(self.sandbox.calls(), [])

    def test_kubectl_notes_its_context(self):
        self.sandbox.run("kubectl", "get", "pods")
        self.sandbox.kubeconfig.write_text("clusters: []\ncurrent-context: here\nkind: Config\n", encoding="utf-8")
        self.sandbox.run("kubectl", "get", "pods")
        self.assertEqual([call.context for call in self.sandbox.calls("kubectl")], [None, "here"])

    def test_newest_matching_answer_wins_and_is_used_up(self):
        self.sandbox.answer("kubectl", "get *", stdout="it's\nready\n")
        self.sandbox.answer("kubectl", "get pods*", stderr="not yet\n", rc=3, times=2)
        runs = [self.sandbox.run("kubectl", "get", "pods", "-w") for _ in range(3)]
        self.assertEqual([(run.returncode, run.stdout, run.stderr) for run in runs],
                         [(3, "", "not yet\n")] * 2 + [(0, "it's\nready\n", "")])
        self.assertEqual(self.sandbox.run("kubectl", "delete").stdout, "")

    def test_scripts_have_no_input_and_their_own_status(self):
        done = self.sandbox.run_script(self.script('read -r line || echo "no input"\nexit 7\n'))
        self.assertEqual((done.returncode, done.stdout), (7, "no input\n"))

    def test_time_limit_ends_children_too(self):
        script = self.script("sleep 60 &\nwait\n")
        self.assertRaises(subprocess.TimeoutExpired, self.sandbox.run_script, script, timeout=0.2)


if __name__ == "__main__":
    unittest.main()
