"""When something is missing, wrong or refused: the scripts stop, say what, and run nothing after it.

`multi-host` has a node pool; `ironwood` a workload policy too; `new-cluster` makes its cluster.
"""

import unittest

from artifacts import compile_example
from expectations import EXAMPLES
from life import Life, ScriptCase

POOL = "/v1/projects/test-project/locations/us-east5/clusters/my-cluster/nodePools/job-1-pool"


class FailureCase(ScriptCase):
    """Base: one Life a test, and what all failures have in common."""

    def live(self, name):
        scripts = self.directory / name
        folder = next(scripts.glob("out/*"), None) or compile_example(name, scripts)
        return self.enterContext(Life(EXAMPLES[name], folder))

    def provisioned(self, name):
        """A Life whose pools and policies are there, put there without gcloud."""
        life = self.live(name)
        meant = life.meant
        where = {"project": meant.project}
        if meant.new_cluster:
            life.fake.add_cluster(meant.cluster, meant.location, **where)
        for policy in meant.policies:
            life.fake.add_policy(**policy, **where)
        for pool in meant.pools:
            life.fake.add_node_pool(cluster=meant.cluster, location=meant.location, **where, **pool)
        return life

    def fails(self, life, script, step, *messages):
        """The script stops with gcloud's status 1, says at which step, and shows what gcloud said."""
        done = life.run(script)
        self.assertEqual(done.returncode, 1, done.stderr)
        for message in messages:
            self.assertIn(message, done.stderr)
        last = done.stderr.splitlines()[-1]
        self.assertEqual(
            last, f"{script}.sh: failed at: {step}. Nothing after that was run; running the script again is safe.")
        self.assertEqual(list((life.sandbox.root / "tmp").iterdir()), [])
        self.check_quiet(life)
        return done


class Provision(FailureCase):
    """provision.sh"""

    def test_service_refused(self):
        life = self.live("multi-host")
        life.fake.fail_next("POST", ":enable$", 403, "no permission to enable")
        self.fails(life, "provision", "Enable the Kubernetes Engine API", "no permission to enable")
        self.assertEqual(len(life.fake.requests), 1)

    def test_cluster_refused(self):
        life = self.live("new-cluster")
        life.fake.fail_next("POST", "/clusters$", 403, "no permission to create clusters")
        self.fails(life, "provision", "Create cluster experiment", "code=403, message=no permission to create clusters")
        self.assertEqual(life.sent()[-1][0], "/v1/projects/my-project/locations/us-east5/clusters")

    def test_policy_refused(self):
        life = self.live("ironwood")
        life.fake.fail_next("POST", "/resourcePolicies$", 403, "no permission to create policies")
        self.fails(life, "provision", "Create workload policy ironwood-policy", "no permission to create policies")
        self.assertEqual(life.sent(), life.meant.creations()[:2])

    def test_pool_refused_and_granted_on_the_second_run(self):
        life = self.live("ironwood")
        life.fake.fail_next("POST", "/nodePools$", 403, "no permission to create pools")
        self.fails(life, "provision", "Create node pool ironwood-pool", "code=403, message=no permission to create pools")
        self.ok(life, "provision")
        enable, _, pool = life.meant.creations()
        self.assertEqual(life.sent(), [enable, pool])  # the policy was there already

    def test_operation_ends_with_an_error(self):
        life = self.live("multi-host")
        life.fake.fail_operation("GCE_STOCKOUT: us-east5-b does not have enough resources")
        self.fails(life, "provision", "Create node pool job-1-pool", "GCE_STOCKOUT: us-east5-b does not have enough")

    def test_second_pool_waits_for_the_first(self):
        life = self.live("multislice")
        life.fake.fail_operation("no nodes")
        self.fails(life, "provision", "Create node pool big-run-pool-0", "no nodes")
        self.assertEqual(life.sent(), life.meant.creations()[:2])

    def test_list_refused(self):
        # Whether something exists is not known then, so nothing is created.
        for name, path, step in (
                ("multi-host", "/nodePools$", "Create node pool job-1-pool"),
                ("new-cluster", "/clusters$", "Create cluster experiment"),
                ("ironwood", "/resourcePolicies$", "Create workload policy ironwood-policy")):
            with self.subTest(path=path):
                life = self.live(name)
                life.fake.fail_next("GET", path, 403, "no permission to list")
                self.fails(life, "provision", step, "no permission to list")
                self.assertEqual(life.sent(), life.meant.creations()[:1])

    def test_missing_cluster(self):
        life = self.live("multi-host")
        life.fake.clusters.clear()
        self.fails(life, "provision", "Create node pool job-1-pool", "code=404, message=Not found: ")
        self.assertEqual(life.sent(), life.meant.creations()[:1])


class Verify(FailureCase):
    """verify.sh"""

    def wrong(self, life, *lines):
        """Everything is looked at, and each finding stands in one line."""
        done = life.run("verify")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertTrue(done.stderr.splitlines()[-1].startswith(f"{len(lines)} of the checks above went wrong."), done.stderr)
        self.check_quiet(life)
        self.assertEqual([line.strip() for line in done.stderr.splitlines() if "WRONG" in line],
                         [f"WRONG: {line}" for line in lines])
        self.assertEqual(life.kubectl(), [life.meant.shows_pods()])
        return done

    def test_missing_pool(self):
        life = self.live("multi-host")
        self.fails(life, "verify", "Check config.flexStart of node pool job-1-pool", f"code=404, message=Not found: {POOL[4:]}")
        self.assertEqual(life.kubectl(), [])

    def test_wrong_mode(self):
        life = self.provisioned("multi-host")
        del life.fake.node_pools[POOL[4:]]["config"]["flexStart"]
        done = self.wrong(life, "it is '', and should be 'True'")
        self.assertEqual(done.stdout, "    ok: 4\n    ok: ct6e-standard-4t\n    ok: 4x4\n    ok: us-east5-b\n")
        life.fake.node_pools[POOL[4:]]["config"]["flexStart"] = False
        self.wrong(life, "it is 'False', and should be 'True'")

    def test_everything_wrong(self):
        life = self.provisioned("multi-host")
        life.fake.node_pools[POOL[4:]] |= {
            "config": {"machineType": "ct6e-standard-1t"}, "autoscaling": {"maxNodeCount": 2}, "placementPolicy": {}}
        self.wrong(life, "it is '', and should be 'True'", "it is '2', and should be '4'",
                   "it is 'ct6e-standard-1t', and should be 'ct6e-standard-4t'", "it is '', and should be '4x4'")

    def test_wrong_mode_of_the_other_models(self):
        for name, path, found, wanted in (
                ("team-queue", ("config", "spot"), "", "True"),
                ("queued", ("queuedProvisioning", "enabled"), "", "True"),
                ("multislice", ("initialNodeCount",), "", "8"),
                ("reservation", ("config", "reservationAffinity"), "", "SPECIFIC_RESERVATION")):
            with self.subTest(example=name):
                life = self.provisioned(name)
                pool = life.fake.node_pools[life.meant.deletions()[0][4:]]
                for key in path[:-1]:
                    pool = pool[key]
                del pool[path[-1]]
                self.wrong(life, f"it is '{found}', and should be '{wanted}'")

    def test_pods_cannot_be_shown(self):
        life = self.provisioned("multi-host")
        life.sandbox.answer("kubectl", "get pods *", stderr="Forbidden\n", rc=1)
        self.fails(life, "verify", "Show the pods of job-1", "Forbidden")


class Cleanup(FailureCase):
    """cleanup.sh"""

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
                cluster = f"no cluster {life.meant.cluster} in {life.meant.location}: nothing deleted there"
                self.assertEqual(done.stdout, f"    {cluster if gone == 'clusters' else 'gone already'}\n")
                self.assertEqual(life.kubectl(), [] if gone == "clusters" else life.meant.kubectl_deletions())

    def test_own_cluster_is_gone_already(self):
        life = self.live("new-cluster")
        done = self.ok(life, "cleanup")
        self.assertEqual((life.deleted(), life.kubectl()), ([], []))
        self.assertEqual(done.stdout, "    gone already\n" * 2)

    def test_list_refused(self):
        # Whether something exists is not known then; what may still cost money must not pass for gone.
        for name, path, step, workload in (
                ("multi-host", "/clusters$", "Look for cluster my-cluster", False),
                ("multi-host", "/nodePools$", "Delete node pool job-1-pool", True),
                ("ironwood", "/resourcePolicies$", "Delete workload policy ironwood-policy", True)):
            with self.subTest(path=path):
                life = self.provisioned(name)
                life.fake.fail_next("GET", path, 403, "no permission to list")
                self.fails(life, "cleanup", step, "no permission to list")
                self.assertEqual(life.kubectl(), life.meant.kubectl_deletions() if workload else [])
                self.assertEqual(life.deleted(), life.meant.deletions()[:-1])

    def test_workload_stays(self):
        # Then its nodes stay too.
        life = self.provisioned("multi-host")
        life.sandbox.answer("kubectl", "delete job/*", stderr="Forbidden\n", rc=1)
        self.fails(life, "cleanup", "Delete Job job-1", "Forbidden")
        self.assertEqual((life.deleted(), life.kubectl()), ([], life.meant.kubectl_deletions()[:1]))

    def test_pool_stays(self):
        # Then the policy that it uses, or the cluster that it is in, stay too.
        for name in ("ironwood", "new-cluster"):
            with self.subTest(example=name):
                life = self.provisioned(name)
                life.fake.fail_next("DELETE", "/nodePools/", 403, "no permission to delete")
                self.fails(life, "cleanup", f"Delete node pool {name if name == 'ironwood' else 'experiment'}-pool",
                           "no permission to delete")
                self.assertEqual(life.deleted(), life.meant.deletions()[:1])
                self.assertIn(life.meant.cluster_path[4:], life.state())

    def test_no_credentials(self):
        life = self.provisioned("multi-host")
        life.fake.fail_next("GET", "/clusters/my-cluster$", 403, "no permission to get")
        self.fails(life, "cleanup", "Get credentials for cluster my-cluster", "no permission to get")
        self.assertEqual((life.deleted(), life.kubectl()), ([], []))


if __name__ == "__main__":
    unittest.main()
