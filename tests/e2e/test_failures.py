"""When something is missing, wrong or refused: provision and verify stop and say where; cleanup goes on and reports it at the end.

`multi-host` has a node pool; `ironwood` a workload policy too; `new-cluster` makes its cluster.
"""

import copy
import os
import signal
import subprocess
import time
import unittest

from artifacts import compile_example
from expectations import EXAMPLES
from fake_kubernetes import KINDS
from life import Life, ScriptCase
from sandbox import WHOLE

POOL = "/v1/projects/test-project/locations/us-east5/clusters/my-cluster/nodePools/job-1-pool"


class FailureCase(ScriptCase):
    """Base: one Life a test, and what all failures have in common."""

    def live(self, name):
        scripts = self.directory / name
        folder = next(scripts.glob("out/*"), None) or compile_example(name, scripts)
        return self.enterContext(Life(EXAMPLES[name], folder))

    def provisioned(self, name):
        """A Life whose workload, pools and policies are there, put there without the scripts."""
        life = self.live(name)
        meant = life.meant
        where = {"project": meant.project}
        if meant.new_cluster:
            life.fake.add_cluster(meant.cluster, meant.location, **where, resourceLabels=meant.new_cluster["resourceLabels"])
        for policy in meant.policies:
            life.fake.add_policy(**policy, **where)
        for pool in meant.pools:
            life.fake.add_node_pool(cluster=meant.cluster, location=meant.location, **where, **copy.deepcopy(pool))
        life.apply()
        return life

    def fails(self, life, script, step, *messages):
        """The script stops with gcloud's status 1, says at which step, and shows what gcloud said.

        provision.sh goes on with what exists; see `exists`.
        """
        done = life.run(script)
        self.assertEqual(done.returncode, 1, done.stderr)
        for message in messages:
            self.assertIn(message, done.stderr)
        last = [line for line in done.stderr.splitlines() if not line.startswith("    ") and not line.startswith("What exists")][-1]
        self.assertEqual(
            last, f"{script}.sh: stopped at: {step}. Nothing after that was run; running the script again is safe.")
        self.check_quiet(life)
        return done


PERHAPS = " (perhaps: GKE may go on creating it, or keep it with status ERROR)"


class Provision(FailureCase):
    """provision.sh"""

    def exists(self, done, *things):
        """After the step where it stopped, it lists what exists by now, and what may."""
        wanted = ["What exists stays, and nodes are billed, until cleanup.sh deletes it:", *(f"    {thing}" for thing in things)]
        self.assertEqual(done.stderr.partition("running the script again is safe.\n")[2].splitlines(), wanted if things else [])

    def test_service_refused(self):
        life = self.live("new-cluster")
        life.fake.fail_next("POST", ":enable$", 403, "no permission to enable")
        self.exists(self.fails(life, "provision", "Enable the Kubernetes Engine API", "no permission to enable"))
        self.assertEqual(len(life.fake.requests), 1)

    def test_rights_on_the_cluster_are_enough(self):
        # Whoever may not enable services can still use a cluster that is there.
        life = self.live("ironwood")
        life.fake.fail_next("POST", ":enable$|:batchEnable$", 403, "no permission to enable", times=9)
        life.fake.fail_next("GET", "/services/", 403, "no permission to see services", times=9)
        self.ok(life, "provision")
        self.assertEqual(life.sent(), life.meant.creations())

    def test_cluster_refused(self):
        life = self.live("new-cluster")
        life.fake.fail_next("POST", "/clusters$", 403, "no permission to create clusters")
        self.fails(life, "provision", "Create cluster experiment", "code=403, message=no permission to create clusters")
        self.assertEqual(life.sent()[-1][0], "/v1/projects/my-project/locations/us-east5/clusters")

    def test_policy_refused(self):
        life = self.live("ironwood")
        life.fake.fail_next("POST", "/resourcePolicies$", 403, "no permission to create policies")
        self.fails(life, "provision", "Create workload policy ironwood-my-cluster-policy", "no permission to create policies")
        self.assertEqual(life.sent(), life.meant.creations()[:1])

    def test_pool_refused_and_granted_on_the_second_run(self):
        life = self.live("ironwood")
        life.fake.fail_next("POST", "/nodePools$", 403, "no permission to create pools")
        done = self.fails(life, "provision", "Create node pool ironwood-pool", "code=403, message=no permission to create pools")
        self.exists(done, "workload policy ironwood-my-cluster-policy", f"node pool ironwood-pool{PERHAPS}")
        self.ok(life, "provision")
        _, pool = life.meant.creations()
        self.assertEqual(life.sent(), [pool])  # the policy was there already

    def test_operation_ends_with_an_error(self):
        life = self.live("multi-host")
        life.fake.fail_operation("GCE_STOCKOUT: us-east5-b does not have enough resources")
        done = self.fails(life, "provision", "Create node pool job-1-pool", "GCE_STOCKOUT: us-east5-b does not have enough")
        self.exists(done, f"node pool job-1-pool{PERHAPS}")

    def test_pools_that_cannot_be_used(self):
        """One that could not be created stays, as does for a while one that is deleted; neither ever gets nodes."""
        for status, message in (("ERROR", "exists with status ERROR: GKE could not create it."), ("STOPPING", "is being deleted: ")):
            with self.subTest(status=status):
                life = self.provisioned("multislice")
                life.fake.node_pools[life.meant.deletions()[1][4:]]["status"] = status
                done = self.fails(life, "provision", "Create node pool big-run-pool-1", message)
                self.exists(done, "node pool big-run-pool-0")
                self.assertEqual(life.sent(), [])
        life = self.provisioned("new-cluster")
        life.fake.clusters[life.meant.cluster_path[4:]]["status"] = "ERROR"
        self.exists(self.fails(life, "provision", "Create cluster experiment", "exists with status ERROR"))

    def test_pool_of_another_shape(self):
        """A pool of that name that its pods would never fit is said to be one at once, whosever it is."""
        for labels in ({}, {"flexslice": "job-1"}):
            for change, line in (({"machineType": "ct6e-standard-1t"}, "config.machineType is 'ct6e-standard-1t', and should be 'ct6e-standard-4t'"),
                                 ({"spot": True}, "config.spot is 'True', and should be 'False or none'")):
                with self.subTest(labels=labels, change=change):
                    life = self.provisioned("multi-host")
                    life.fake.node_pools[POOL[4:]]["config"] |= change | {"resourceLabels": labels}
                    done = self.fails(life, "provision", "Create node pool job-1-pool", f"    WRONG: {line}\n", "Run cleanup.sh")
                    self.assertEqual(done.stderr.count("WRONG"), 1)
                    self.assertEqual(life.sent(), [])
        life = self.provisioned("multislice")
        life.fake.node_pools[life.meant.deletions()[0][4:]]["placementPolicy"]["tpuTopology"] = "2x4"
        self.fails(life, "provision", "Create node pool big-run-pool-0", "placementPolicy.tpuTopology is '2x4'")

    def test_second_pool_waits_for_the_first(self):
        life = self.live("multislice")
        life.fake.fail_operation("no nodes")
        self.fails(life, "provision", "Create node pool big-run-pool-0", "no nodes")
        self.assertEqual(life.sent(), life.meant.creations()[:1])

    def test_first_pool_is_billed_when_the_second_fails(self):
        life = self.live("multislice")
        life.fake.fail_next("POST", "/nodePools$", 403, "no more pools")
        life.fake.add_node_pool(cluster="my-cluster", location="us-east5", **life.meant.pools[0])
        done = self.fails(life, "provision", "Create node pool big-run-pool-1", "no more pools")
        self.exists(done, "node pool big-run-pool-0", f"node pool big-run-pool-1{PERHAPS}")

    def test_list_refused(self):
        # Whether something exists is not known then, so nothing is created.
        for name, path, step in (
                ("multi-host", "/nodePools$", "Create node pool job-1-pool"),
                ("new-cluster", "/clusters$", "Create cluster experiment"),
                ("ironwood", "/resourcePolicies$", "Create workload policy ironwood-my-cluster-policy")):
            with self.subTest(path=path):
                life = self.live(name)
                life.fake.fail_next("GET", path, 403, "no permission to list")
                self.fails(life, "provision", step, "no permission to list")
                self.assertEqual(life.sent(), life.meant.creations()[:1] if life.meant.new_cluster else [])

    def test_missing_cluster(self):
        life = self.live("multi-host")
        life.fake.clusters.clear()
        self.fails(life, "provision", "Create node pool job-1-pool", "code=404, message=Not found: ")
        self.assertEqual(life.sent(), [])


class Verify(FailureCase):
    """verify.sh"""

    def wrong(self, life, *lines):
        """Everything is looked at, and each finding stands in one line."""
        done = life.run("verify")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertTrue(done.stderr.splitlines()[-1].startswith(f"{len(lines)} of the checks above failed."), done.stderr)
        self.check_quiet(life)
        self.assertEqual([line.strip() for line in done.stderr.splitlines() if "WRONG" in line],
                         [f"WRONG: {line}" for line in lines])
        self.assertEqual(life.kubectl(), [life.meant.shows_pods()])
        return done

    def test_missing_pool(self):
        life = self.live("multi-host")
        self.fails(life, "verify", "Check node pool job-1-pool", f"code=404, message=Not found: {POOL[4:]}")
        self.assertEqual(life.kubectl(), [])

    def test_wrong_mode(self):
        life = self.provisioned("multi-host")
        del life.fake.node_pools[POOL[4:]]["config"]["flexStart"]
        done = self.wrong(life, "config.flexStart is '', and should be 'True'")
        self.assertEqual(done.stdout.splitlines(), [f"    ok: {line}" for line in (
            "status is RUNNING", "config.spot is not set", "queuedProvisioning.enabled is not set",
            "config.reservationAffinity.consumeReservationType is NO_RESERVATION", "autoscaling.maxNodeCount is 4",
            "config.machineType is ct6e-standard-4t", "placementPolicy.tpuTopology is 4x4", "locations is us-east5-b")] + ["    no pod waits"])
        self.assertEqual(len(life.fake.requests), 2)  # one for the pool, one for the credentials
        life.fake.node_pools[POOL[4:]]["config"]["flexStart"] = False
        self.wrong(life, "config.flexStart is 'False', and should be 'True'")

    def test_pools_of_another_model(self):
        """What the spec's model does not set must not be set: such nodes end sooner, or wait for a request."""
        affinity = "config.reservationAffinity.consumeReservationType"
        for name, change, *lines in (
                ("multislice", {"spot": True, "flexStart": True}, "config.flexStart is 'True', and should be 'False or none'",
                 "config.spot is 'True', and should be 'False or none'"),
                ("multislice", {"reservationAffinity": {"consumeReservationType": "SPECIFIC_RESERVATION", "values": ["r"]}},
                 f"{affinity} is 'SPECIFIC_RESERVATION', and should be 'NO_RESERVATION or ANY_RESERVATION or UNSPECIFIED or none'"),
                ("multislice", {"spot": False, "flexStart": False, "reservationAffinity": {"consumeReservationType": "ANY_RESERVATION"}}),
                ("team-queue", {"flexStart": True}, "config.flexStart is 'True', and should be 'False or none'"),
                ("reservation", {"spot": True}, "config.spot is 'True', and should be 'False or none'")):
            with self.subTest(example=name, change=change):
                life = self.provisioned(name)
                pool = (life.meant.pools + life.meant.existing)[0]["name"]
                config = life.fake.node_pools[f"{life.meant.cluster_path[4:]}/nodePools/{pool}"]["config"]
                config |= change
                if lines:
                    self.wrong(life, *lines)
                else:
                    self.ok(life, "verify")
        life = self.provisioned("multi-host")
        life.fake.node_pools[POOL[4:]]["queuedProvisioning"] = {"enabled": True}
        self.wrong(life, "queuedProvisioning.enabled is 'True', and should be 'False or none'")

    def test_other_values_of_the_spec(self):
        life = self.provisioned("everything")
        pool = life.fake.node_pools[f"{life.meant.cluster_path[4:]}/nodePools/everything"]
        self.ok(life, "verify")
        pool["config"] |= {"diskSizeGb": 100, "labels": {"example.com/pool": "small"}, "maxRunDuration": "600s"}
        self.wrong(life, "config.maxRunDuration is '600s', and should be '129600s'", "config.diskSizeGb is '100', and should be '200'",
                   "config.labels.\"example.com/pool\" is 'small', and should be 'big'")
        life = self.provisioned("reservation")
        pool = life.fake.node_pools[f"{life.meant.cluster_path[4:]}/nodePools/reserved-pool"]
        pool["config"]["reservationAffinity"]["values"] = ["v5p-2025"]
        self.wrong(life, "config.reservationAffinity.values is 'v5p-2025', and should be "
                         "'projects/capacity-project/reservations/v5p-2026/reservationBlocks/block-1'")

    def test_status(self):
        """A pool that could not be created is there, too; one that is upgraded is as it should be."""
        life = self.provisioned("multi-host")
        pool = life.fake.node_pools[POOL[4:]]
        pool["status"] = "ERROR"
        self.wrong(life, "status is 'ERROR', and should be 'RUNNING or RECONCILING or PROVISIONING'")
        pool["status"] = "RECONCILING"
        self.assertIn("    ok: status is RECONCILING\n", self.ok(life, "verify").stdout)

    def test_everything_wrong(self):
        life = self.provisioned("multi-host")
        life.fake.node_pools[POOL[4:]] |= {
            "config": {"machineType": "ct6e-standard-1t"}, "autoscaling": {"maxNodeCount": 2}, "placementPolicy": {}}
        self.wrong(life, "config.flexStart is '', and should be 'True'", "autoscaling.maxNodeCount is '2', and should be '4'",
                   "config.machineType is 'ct6e-standard-1t', and should be 'ct6e-standard-4t'",
                   "placementPolicy.tpuTopology is '', and should be '4x4'")

    def test_wrong_mode_of_the_other_models(self):
        for name, path, found, wanted in (
                ("team-queue", ("config", "spot"), "", "True"),
                ("queued", ("queuedProvisioning", "enabled"), "", "True"),
                ("multislice", ("initialNodeCount",), "", "8"),
                ("reservation", ("config", "reservationAffinity", "consumeReservationType"), "", "SPECIFIC_RESERVATION"),
                ("ironwood", ("placementPolicy", "policyName"), "", "ironwood-my-cluster-policy or ironwood-policy")):
            with self.subTest(example=name):
                life = self.provisioned(name)
                name_of_pool = (life.meant.pools + life.meant.existing)[0]["name"]
                pool = life.fake.node_pools[f"{life.meant.cluster_path[4:]}/nodePools/{name_of_pool}"]
                for key in path[:-1]:
                    pool = pool[key]
                del pool[path[-1]]
                self.wrong(life, f"{'.'.join(path)} is '{found}', and should be '{wanted}'")

    def test_pods_cannot_be_shown(self):
        life = self.provisioned("multi-host")
        life.kubernetes.refuse("GET", "/pods$", 403, "pods is forbidden")
        self.fails(life, "verify", "Show the pods of job-1", "pods is forbidden")

    def with_pods_that_wait(self, count):
        """Each has one event."""
        life = self.provisioned("multi-host")
        for each in range(count):
            life.kubernetes.add("Pod", f"job-1-{each}", "default", labels={"job-name": "job-1"}, status={"phase": "Pending"})
            life.kubernetes.add("Event", f"job-1-{each}.1", "default", type="Warning", reason="FailedScheduling",
                                message=f"0/{each} nodes are available", involvedObject={"apiVersion": "v1", "kind": "Pod", "name": f"job-1-{each}"})
        life.kubernetes.add("Pod", "job-1-9", "default", labels={"job-name": "job-1"}, status={"phase": "Running"})
        return life

    def test_pods_that_wait(self):
        """Their own events are shown; of many pods, those of three."""
        for count, shown in ((0, 0), (1, 1), (3, 3), (5, 3)):
            with self.subTest(count):
                done = self.with_pods_that_wait(count).run("verify")
                self.assertEqual(done.returncode, 0, done.stderr)
                said = done.stdout + done.stderr
                self.assertEqual([f"0/{each} nodes are available" in said for each in range(count)], [True] * shown + [False] * (count - shown), said)
                self.assertEqual("no pod waits" in said, count == 0)
                self.assertEqual("and 2 more pods wait" in said, count == 5)

    def test_events_cannot_be_shown(self):
        """The pools are compared nonetheless."""
        life = self.with_pods_that_wait(2)
        life.kubernetes.refuse("GET", "/events$", 403, "events is forbidden")
        done = life.run("verify")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("events is forbidden", done.stderr)


class Cleanup(FailureCase):
    """cleanup.sh"""

    def reports(self, life, *steps, left=(), messages=(), arguments=()):
        """It goes on to the end, lists the steps that failed, and of what is the spec's only `left` is still there."""
        done = life.run("cleanup", *arguments)
        self.assertEqual(done.returncode, 1, done.stderr)
        for message in messages:
            self.assertIn(message, done.stderr)
        self.assertEqual(done.stderr.partition("cleanup.sh: failed:\n")[2].splitlines(), [
            *(f"    {step}" for step in steps),
            "What is named there may still exist, and nodes are billed. Running the script again is safe."])
        own = {path.removeprefix("/v1/").removeprefix("/compute/v1/") for path in life.meant.deletions()}
        self.assertEqual(sorted(own & set(life.state())), sorted(left))
        self.check_quiet(life)
        return done

    def sees_no_pods(self, life, *steps, messages=(), before=lambda: None):
        """The pools stay with their policy, since somebody's pods may run there, until told otherwise."""
        before()
        self.reports(life, *steps, *(f"Delete node pool {each['name']}: cannot see whether pods of other workloads use it (--force deletes it anyway)"
                                     for each in life.meant.pools), *(f"Delete workload policy {each['name']}" for each in life.meant.policies),
                     left=[path.removeprefix("/v1/").removeprefix("/compute/v1/") for path in life.meant.deletions()], messages=messages)
        before()
        self.reports(life, *steps, messages=messages, arguments=["--force"])

    def test_what_is_gone_already(self):
        for gone in ("node_pools", "policies", "clusters"):
            with self.subTest(gone=gone):
                life = self.provisioned("ironwood")
                getattr(life.fake, gone).clear()
                if gone == "clusters":
                    life.fake.node_pools.clear()  # they go with it
                done = self.ok(life, "cleanup")
                pool, policy = life.meant.deletions()
                self.assertEqual(life.deleted(), [pool] if gone == "policies" else [policy])
                cluster = f"no cluster {life.meant.cluster} in {life.meant.location} in project {life.meant.project}: nothing deleted there"
                self.assertTrue(done.stdout.endswith(f"    {cluster if gone == 'clusters' else 'gone already'}\n"), done.stdout)
                self.assertEqual(life.kubectl(), [] if gone == "clusters" else life.meant.kubectl_deletions())

    def test_own_cluster_is_gone_already(self):
        life = self.live("new-cluster")
        done = self.ok(life, "cleanup")
        self.assertEqual((life.deleted(), life.kubectl()), ([], []))
        self.assertEqual(done.stdout, "    no cluster experiment in us-east5 in project my-project: nothing deleted there\n    gone already\n")

    def test_another_project(self):
        """Without one in the spec it is gcloud's, and nothing of another shows that it is the wrong one."""
        life = self.provisioned("multi-host")
        life.sandbox.env["CLOUDSDK_CORE_PROJECT"] = "wrong-project"
        before = life.state()
        done = self.ok(life, "cleanup")
        self.assertEqual(life.state(), before)
        self.assertTrue(done.stdout.endswith(
            "    no cluster my-cluster in us-east5 in project wrong-project: nothing deleted there\n"), done.stdout)

    def test_list_refused(self):
        # What exists is not known then, but whose it is, or that it is not billed.
        life = self.provisioned("multi-host")
        life.fake.fail_next("GET", "/clusters$", 403, "no permission to list", times=9)
        done = self.ok(life, "cleanup")
        self.assertIn("no permission to list", done.stderr)
        self.assertEqual((life.state(), life.workload()), (life.neighbours(), []))
        life = self.provisioned("ironwood")
        life.fake.fail_next("GET", "/resourcePolicies$", 403, "no permission to list", times=9)
        self.reports(life, "Delete workload policy ironwood-my-cluster-policy", left=[life.meant.deletions()[1].removeprefix("/compute/v1/")])

    def test_owner_is_not_known(self):
        # The pool may be somebody else's.
        life = self.provisioned("multislice")
        life.fake.fail_next("GET", "/nodePools$", 403, "no permission to list", times=1)
        self.reports(life, "Delete node pool big-run-pool-0", left=[life.meant.deletions()[0][4:]],
                     messages=["no permission to list"])
        self.ok(life, "cleanup")
        self.assertEqual(life.state(), life.neighbours())

    def leaves(self, life, *things):
        """Both scripts say that they leave what is not the workload's own."""
        before = life.state()
        done = self.ok(life, "provision")
        line = f"    already exists, unchanged; has no label flexslice={life.meant.workload}, so cleanup.sh leaves it\n"
        self.assertEqual(done.stdout.count(line), len(things))
        done = self.ok(life, "cleanup")
        self.assertEqual(life.state(), before)
        self.assertEqual(done.stderr.partition("\ncleanup.sh: ")[2].splitlines()[:-1], [
            "left, since provision.sh did not create it for this workload:", *(f"    {thing}" for thing in things),
            "If nobody needs it, delete it with the command that --dry-run prints: nodes are billed."])

    def test_pool_of_somebody_else(self):
        for labels in ({}, {"team": "a"}, {"flexslice": "job-10"}, {"flexslice": "ob-1"}):
            with self.subTest(labels=labels):
                life = self.live("multi-host")
                body = copy.deepcopy(life.meant.pools[0])
                body["config"]["resourceLabels"] = labels
                life.fake.add_node_pool(cluster=life.meant.cluster, location=life.meant.location, **body)
                self.leaves(life, "node pool job-1-pool")

    def test_cluster_of_somebody_else(self):
        life = self.live("new-cluster")
        life.fake.add_cluster("experiment", "us-east5", "my-project", resourceLabels={"flexslice": "other"})
        body = copy.deepcopy(life.meant.pools[0])
        del body["config"]["resourceLabels"]
        life.fake.add_node_pool(cluster="experiment", location="us-east5", project="my-project", **body)
        self.leaves(life, "node pool experiment-pool", "cluster experiment")

    def test_own_pool_in_the_cluster_of_somebody_else(self):
        life = self.live("new-cluster")
        life.fake.add_cluster("experiment", "us-east5", "my-project")
        before = life.state()
        self.ok(life, "provision")
        done = self.ok(life, "cleanup")
        self.assertEqual(life.state(), before)
        self.assertIn("    cluster experiment\n", done.stderr)
        self.assertNotIn("    node pool experiment-pool\n", done.stderr)

    def test_own_cluster_with_the_pool_of_somebody_else(self):
        # The cluster stays for its sake, until told otherwise.
        life = self.live("new-cluster")
        self.ok(life, "provision")
        pool = life.fake.node_pools["projects/my-project/locations/us-east5/clusters/experiment/nodePools/experiment-pool"]
        pool["config"]["resourceLabels"] = {}
        done = self.ok(life, "provision")
        self.assertEqual([line for line in done.stdout.splitlines() if "already" in line], [
            "    already exists, unchanged; cleanup.sh deletes it with all that runs in it",
            "    already exists, unchanged; has no label flexslice=experiment, but cleanup.sh deletes its cluster"])
        done = life.run("cleanup")
        self.assertEqual(done.returncode, 1)
        self.assertIn("    left: is not labeled flexslice=experiment, flexslice-namespace=default\n", done.stdout)
        self.assertIn("Delete cluster experiment: others use it: node pool experiment-pool (--force deletes it anyway)", done.stderr)
        done = self.ok(life, "cleanup", "--force")
        self.assertEqual(life.state(), life.neighbours())
        self.assertNotIn("If nobody needs it", done.stderr)

    def used(self, life):
        """Puts pods on the nodes of the pool: of others, of the workload, of every node, and one that has ended."""
        node, pool = {"spec": {"nodeName": "gke-1"}}, {"cloud.google.com/gke-nodepool": "job-1-pool"}
        life.kubernetes.add("Node", "gke-1", labels=pool)
        life.kubernetes.add("Node", "gke-2", labels={"cloud.google.com/gke-nodepool": "job-1-pool-2"})
        life.kubernetes.add("Pod", "job-1-0", "default", {"job-name": "job-1"}, **node)
        life.kubernetes.add("Pod", "job-1-0", "team-b", {"job-name": "job-1"}, **node)
        life.kubernetes.add("Pod", "eval-0", "default", **node)
        life.kubernetes.add("Pod", "waits-0", "team-b", spec={"nodeSelector": pool})
        life.kubernetes.add("Pod", "elsewhere-0", "team-b", spec={"nodeName": "gke-2"})
        life.kubernetes.add("Pod", "failed-0", "team-b", status={"phase": "Failed"}, **node)
        life.kubernetes.add("Pod", "plugin-x", "team-b", **node)
        life.kubernetes.objects["team-b", "Pod", "plugin-x"]["metadata"]["ownerReferences"] = [{"kind": "DaemonSet", "name": "plugin"}]

    def test_pods_of_others(self):
        """The pool that they use or wait for stays, until told otherwise."""
        life = self.provisioned("multi-host")
        self.used(life)
        self.reports(life, "Delete node pool job-1-pool: pods of other workloads use it: team-b/job-1-0 default/eval-0 team-b/waits-0 "
                           "(--force deletes it anyway)", left=[POOL[4:]])
        self.assertNotIn("Job job-1", life.workload())
        self.ok(life, "cleanup", "--force")
        self.assertEqual(life.state(), life.neighbours())

    def test_pods_of_others_in_the_own_cluster(self):
        """The cluster stays with its pool."""
        life = self.provisioned("new-cluster")
        pool = life.meant.pools[0]["name"]
        life.kubernetes.add("Pod", "eval-0", "team-b", spec={"nodeSelector": {"cloud.google.com/gke-nodepool": pool}})
        self.reports(life, f"Delete node pool {pool}: pods of other workloads use it: team-b/eval-0 (--force deletes it anyway)",
                     "Delete cluster experiment: other workloads use its node pools",
                     left=[life.meant.cluster_path[4:], f"{life.meant.cluster_path[4:]}/nodePools/{pool}"])
        self.ok(life, "cleanup", "--force")
        self.assertEqual(life.state(), life.neighbours())

    def test_pods_cannot_be_seen(self):
        # Somebody's service may run there.
        life = self.provisioned("multi-host")
        self.used(life)
        life.kubernetes.refuse("GET", "^/api/v1/pods$", 403, "pods is forbidden")
        self.reports(life, "Delete node pool job-1-pool: cannot see whether pods of other workloads use it (--force deletes it anyway)", left=[POOL[4:]])
        self.ok(life, "cleanup", "--force")
        self.assertEqual(life.state(), life.neighbours())

    def test_claims_in_the_own_cluster(self):
        """Nobody's data goes with the cluster, which is then billed and named."""
        life = self.provisioned("new-cluster")
        life.kubernetes.add("PersistentVolumeClaim", "data", "team-b")
        done = self.ok(life, "cleanup")
        self.assertIn("of experiment is still billed: cluster experiment, in which are the claims team-b/data", done.stderr.splitlines()[-1])
        self.assertIn(life.meant.cluster_path[4:], life.state())
        self.ok(life, "cleanup", "--delete-volumes")
        self.assertEqual(life.state(), life.neighbours())

    def test_pool_of_the_same_name_in_another_namespace(self):
        life = self.provisioned("multi-host")
        life.fake.node_pools[POOL[4:]]["config"]["resourceLabels"]["flexslice-namespace"] = "team-b"
        done = self.fails(life, "provision", "Create node pool job-1-pool", "belongs to job-1 in namespace team-b")
        self.assertEqual(life.sent(), [])
        done = self.ok(life, "cleanup")
        self.assertIn("    left: is not labeled flexslice=job-1, flexslice-namespace=default\n", done.stdout)
        self.assertIn(POOL[4:], life.state())

    def test_pool_without_labels(self):
        """It is somebody else's and stays, so the last line does not say that nothing is billed."""
        life = self.provisioned("multi-host")
        life.fake.node_pools[POOL[4:]]["config"]["resourceLabels"] = {}
        done = self.ok(life, "cleanup")
        self.assertIn("    left: is not labeled flexslice=job-1, flexslice-namespace=default\n", done.stdout)
        self.assertEqual("cleanup.sh: nothing that provision.sh created for job-1 is left; what is listed above stays", done.stderr.splitlines()[-1])

    def test_pool_of_version_1_0(self):
        """It has no namespace, and is the workload's own while no pods of others run there."""
        life = self.provisioned("multi-host")
        del life.fake.node_pools[POOL[4:]]["config"]["resourceLabels"]["flexslice-namespace"]
        self.ok(life, "cleanup")
        self.assertEqual(life.state(), life.neighbours())

    def test_pools_of_an_earlier_spec(self):
        """Another node pool with the workload's label is billed, too."""
        life = self.provisioned("multi-host")
        body = copy.deepcopy(life.meant.pools[0]) | {"name": "old"}
        life.fake.add_node_pool(cluster=life.meant.cluster, location=life.meant.location, **body)
        self.reports(life, "node pool old: still exists and is billed; the cleanup.sh of the spec that created it deletes it")
        self.assertEqual(life.deleted(), [POOL])

    def test_kind_is_not_installed(self):
        # A cluster without JobSet has no JobSets.
        life = self.provisioned("multislice")
        del life.kubernetes.kinds["jobset.x-k8s.io/v1alpha2"]
        done = self.ok(life, "cleanup")
        self.assertEqual(done.stdout, "    no JobSet big-run: the cluster does not have this kind\n")
        self.assertEqual(life.state(), life.neighbours())

    def test_queues_stay(self):
        # Other workloads use them, and so do the node pools of somebody else.
        for name in ("team-queue", "queued"):
            with self.subTest(example=name):
                life = self.provisioned(name)
                for kind, _, is_namespaced in KINDS["kueue.x-k8s.io/v1beta2"]:
                    life.kubernetes.add(kind, "team-a", "team-a" if is_namespaced else None)
                queues = {key for key in life.kubernetes.objects if key[2] == "team-a"}
                self.ok(life, "cleanup")
                self.assertEqual({key for key in life.kubernetes.objects if key[2] == "team-a"}, queues)
                self.assertEqual(life.workload(), ["LocalQueue team-a"])
                self.assertEqual(life.state(), life.neighbours())

    def test_kinds_are_not_shown(self):
        # Not the same as not installed, though kubectl gives both the same words.
        life = self.provisioned("multislice")
        life.kubernetes.refuse("GET", "^/apis?", 403, "no permission to see kinds")
        self.sees_no_pods(life, "Delete JobSet big-run", messages=["no permission to see kinds"])
        self.assertEqual(life.workload(), ["JobSet big-run"])

    def test_workload_stays(self):
        # Its nodes go all the same, and so does the other object.
        life = self.provisioned("multi-host")
        life.kubernetes.refuse("DELETE", "/jobs/", 403, "no permission to delete jobs")
        self.reports(life, "Delete Job job-1", messages=["no permission to delete jobs"])
        self.assertEqual(life.workload(), ["Job job-1"])

    def test_control_plane_is_out_of_reach(self):
        life = self.provisioned("ironwood")
        life.kubernetes.stop()
        self.sees_no_pods(life, "Delete Job ironwood", "Delete Service ironwood", messages=["was refused"])

    def test_no_kubectl(self):
        life = self.provisioned("ironwood")
        life.sandbox.answer("kubectl", stderr="kubectl: not here\n", rc=127)
        self.sees_no_pods(life, "Delete Job ironwood", "Delete Service ironwood", messages=["kubectl: not here"])

    def test_no_credentials(self):
        # kubectl is not run then: it would talk to whatever listens on localhost.
        life = self.provisioned("ironwood")
        self.sees_no_pods(life, "Get credentials for cluster my-cluster", "Delete Job ironwood", "Delete Service ironwood",
                          messages=["no permission to get", "    not tried without credentials\n"],
                          before=lambda: life.fake.fail_next("GET", "/clusters/my-cluster$", 403, "no permission to get"))
        self.assertEqual((life.kubectl(), len(life.workload())), ([], 2))

    def test_no_room_for_a_kubeconfig(self):
        # The user's own is not touched.
        life = self.provisioned("ironwood")
        life.sandbox.use_context("mine")
        before = life.sandbox.kubeconfig.read_text()
        life.sandbox.answer("mktemp", stderr="mktemp: no space\n", rc=1)
        self.sees_no_pods(life, "Get credentials for cluster my-cluster", "Delete Job ironwood", "Delete Service ironwood")
        self.assertEqual(life.sandbox.kubeconfig.read_text(), before)

    def test_pool_stays(self):
        # Then the policy that it uses stays too, but the other pools do not.
        life = self.provisioned("ironwood")
        life.fake.fail_next("DELETE", "/nodePools/", 403, "no permission to delete")
        self.reports(life, "Delete node pool ironwood-pool", "Delete workload policy ironwood-my-cluster-policy",
                     left=[path.removeprefix("/v1/").removeprefix("/compute/v1/") for path in life.meant.deletions()])
        self.ok(life, "cleanup")
        self.assertEqual(life.state(), life.neighbours())
        life = self.provisioned("multislice")
        life.fake.fail_next("DELETE", "/big-run-pool-0$", 403, "no permission to delete")
        self.reports(life, "Delete node pool big-run-pool-0", left=[life.meant.deletions()[0][4:]])

    def test_own_cluster_takes_the_rest_with_it(self):
        life = self.provisioned("new-cluster")
        life.kubernetes.refuse("DELETE", "/jobs/", 403, "no permission to delete jobs")
        life.fake.fail_next("DELETE", "/nodePools/", 403, "no permission to delete")
        self.ok(life, "cleanup")
        self.assertEqual(life.state(), life.neighbours())

    def test_own_cluster_is_out_of_reach(self):
        """It stays, since somebody's pods and data may be in it, until told otherwise."""
        life = self.provisioned("new-cluster")
        life.kubernetes.stop()
        self.reports(life, "Delete Job experiment",
                     "Delete node pool experiment-pool: cannot see whether pods of other workloads use it (--force deletes it anyway)",
                     "Delete cluster experiment: cannot see whether claims with data are in it (--force deletes it anyway)",
                     left=[path.removeprefix("/v1/") for path in life.meant.deletions()])
        self.ok(life, "cleanup", "--force")
        self.assertEqual(life.state(), life.neighbours())

    def test_pool_that_gke_made_in_the_own_cluster(self):
        life = self.provisioned("new-cluster")
        where = {"cluster": life.meant.cluster, "location": life.meant.location, "project": life.meant.project}
        life.fake.add_node_pool(name="nap-1", autoscaling={"enabled": True, "autoprovisioned": True}, **where)
        self.ok(life, "cleanup")
        self.assertEqual(life.state(), life.neighbours())

    def test_own_cluster_stays(self):
        life = self.provisioned("new-cluster")
        life.fake.fail_next("DELETE", "/clusters/experiment$", 403, "no permission to delete")
        self.reports(life, "Delete cluster experiment", left=[life.meant.cluster_path[4:]])

    def test_interrupt(self):
        """Ctrl-C, `kill`, and a closed terminal."""
        # kubectl ends with a status of its own after Ctrl-C; nothing may go on from there.
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number.name):
                life = self.provisioned("multi-host")
                hanging = life.sandbox.root / "hanging"
                path = life.sandbox.root / "bin" / "kubectl"
                path.write_text(f"#!/bin/bash\n[[ $1 == delete ]] || exit 0\ntrap 'exit 1' INT TERM HUP\ntouch {hanging}\n"
                                "sleep 60 >&- 2>&- & wait\n", encoding="utf-8")
                with subprocess.Popen(["bash", life.scripts / "cleanup.sh"], env=life.sandbox.env, stdin=subprocess.DEVNULL,
                                      stderr=subprocess.PIPE, encoding="utf-8", start_new_session=True) as script:
                    for _ in range(600):
                        if hanging.exists():
                            break
                        time.sleep(0.1)
                    os.killpg(script.pid, number)
                    stderr = script.communicate(timeout=60)[1]
                self.assertEqual(script.returncode, 128 + number, stderr)
                self.assertTrue(stderr.endswith(
                    "cleanup.sh: stopped at: Delete Job job-1. Nothing after that was run; running the script again is safe.\n"), stderr)
                self.assertEqual(life.deleted(), [])
                self.check_quiet(life)


class Namespaces(FailureCase):
    """verify.sh and cleanup.sh look where `kubectl apply` put the objects."""

    def check(self, namespace, *arguments, context=None):
        """Both scripts say the namespace and use it; neither its objects nor any other are left or gone by mistake."""
        life = self.live("multi-host")
        if context is not None:
            life.sandbox.use_context("mine", context)
        life.namespace = namespace
        for each in {"default", "team-a", "team-b", namespace}:
            life.apply(each)
        before = life.kubernetes.names()
        self.assertIn(f"==> Use namespace {namespace}\n", self.run_verify(life, *arguments).stderr)
        self.assertEqual(life.kubectl(), [life.meant.shows_pods(namespace)])
        self.assertIn(f"==> Use namespace {namespace}\n", self.ok(life, "cleanup", *arguments).stderr)
        self.assertEqual(life.kubectl(), life.meant.kubectl_deletions(namespace))
        del before[namespace]
        self.assertEqual(life.kubernetes.names(), before)

    def run_verify(self, life, *arguments):
        for pool in life.meant.pools:
            life.fake.add_node_pool(cluster=life.meant.cluster, location=life.meant.location, **pool)
        return self.ok(life, "verify", *arguments)

    def test_no_kubeconfig(self):
        self.check("default")

    def test_context_without_namespace(self):
        self.check("default", context="")

    def test_namespace_of_the_context(self):
        self.check("team-a", context="team-a")

    def test_option(self):
        self.check("team-b", "--namespace", "team-b", context="team-a")
        self.check("team-b", "--namespace=team-b")

    def test_applied_elsewhere(self):
        life = self.provisioned("multi-host")
        life.sandbox.use_context("mine", "team-a")
        done = self.ok(life, "cleanup")
        self.assertIn("    no Job job-1 in namespace team-a; if you applied it to another one, it is still there\n", done.stdout)
        self.assertEqual(life.workload(), ["Job job-1", "Service job-1"])

    def test_namespace_of_the_spec(self):
        life = self.provisioned("fine-tune")
        life.sandbox.use_context("mine", "team-a")
        for script in ("verify", "cleanup"):
            done = life.run(script, "--namespace=team-a")
            self.assertEqual((done.returncode, done.stderr), (
                2, f"{script}.sh: the spec says namespace research, so --namespace team-a has no objects of it\n"))
            self.assertEqual((life.fake.requests, life.sandbox.calls()), ([], []))
            self.assertIn("==> Use namespace research\n", self.ok(life, script, "--namespace", "research").stderr)
        self.assertEqual(life.workload(), [])


def load_tests(loader, tests, _pattern):
    """One test of four, spread over all classes; FLEXSLICE_WHOLE: all of them."""
    cases = [case for each in tests for case in each]
    return loader.suiteClass(cases if WHOLE else cases[::4])


if __name__ == "__main__":
    unittest.main()
