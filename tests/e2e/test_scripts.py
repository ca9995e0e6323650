"""The scripts of every example, run whole through the real gcloud against the fake Google, do what is meant.

What is meant stands in expectations.py.  The lives of two examples run at a time.
"""

import copy
import unittest

from artifacts import compile_example, examples
from expectations import EXAMPLES, SAMPLE
from life import Life, ScriptCase
from sandbox import sample


class Examples(ScriptCase):
    """Provision twice, verify, clean up twice."""

    def test_whole_life(self):
        self.all_at_once(self.live, sample(EXAMPLES, SAMPLE))

    def test_all_examples_have_a_row(self):
        self.assertEqual(sorted(EXAMPLES), examples())

    def live(self, name):
        meant = EXAMPLES[name]
        with Life(meant, compile_example(name, self.directory / name)) as life:
            self.provision(life)
            self.verify(life)
            self.clean_up(life)

    def provision(self, life):
        self.ok(life, "provision")
        self.assertEqual(life.sent(), life.meant.creations())
        self.assertEqual(life.kubectl(), [])
        self.assertEqual(life.sandbox.kubeconfig.exists(), life.meant.new_cluster is not None)
        there = life.state()
        again = self.ok(life, "provision")
        enabled = life.meant.creations()[:1] if life.meant.new_cluster else []
        made = len(life.meant.creations()) - len(enabled)
        self.assertEqual(life.sent(), enabled)
        self.assertEqual(again.stdout.count("    already exists, unchanged; cleanup.sh deletes it"), made)
        nothing = not life.meant.creations() and not life.meant.existing
        self.assertEqual(nothing, again.stderr.startswith("Nothing to provision"))
        self.assertEqual(again.stdout.count("\n") - again.stdout.count("    ok: "), made)
        self.assertEqual("    ok: " in again.stdout, bool(life.meant.pools + life.meant.existing))
        self.assertEqual(life.state(), there)

    def verify(self, life):
        life.sandbox.kubeconfig.unlink(missing_ok=True)
        self.use_own_cluster(life)
        life.apply()
        life.kubernetes.add("Pod", "its-pod", life.namespace, dict([life.meant.pods.split("=")]))
        life.kubernetes.add("Pod", "other-pod", life.namespace)
        done = self.ok(life, "verify")
        self.assertEqual((life.sent(), life.deleted()), ([], []))
        self.assertEqual(life.kubectl(), life.meant.shows())
        self.assertIn("its-pod", done.stdout)
        self.assertNotIn("other-pod", done.stdout)
        self.check_context(life)

    def clean_up(self, life):
        pods = ["Pod its-pod", "Pod other-pod"]
        if life.meant.new_cluster:  # it stays while others use it
            refused = life.run("cleanup")
            self.assertEqual(refused.returncode, 1)
            self.assertIn("others use it", refused.stderr)
            life.apply()
            for pool in life.meant.pools:
                life.fake.add_node_pool(cluster=life.meant.cluster, location=life.meant.location, project=life.meant.project, **copy.deepcopy(pool))
        done = self.ok(life, "cleanup", *(["--force"] if life.meant.new_cluster else []))
        self.assertIn(f"cleanup.sh: nothing of {life.meant.workload} is left", done.stderr.splitlines()[-1])
        self.assertEqual(life.sent(), [])
        self.assertEqual(life.kubectl(), life.meant.kubectl_deletions())
        # The workload is gone before the first thing that it runs on goes.
        self.assertEqual(life.workload(), pods)
        self.assertEqual(life.timeline, [(path, pods) for path in life.meant.deletions()])
        self.assertEqual(life.state(), life.neighbours())
        self.check_context(life)
        again = self.ok(life, "cleanup")
        self.assertEqual(life.deleted(), [])
        self.assertEqual(life.state(), life.neighbours())
        if not life.meant.new_cluster:
            for said in life.meant.nothing_left(life.namespace):
                self.assertIn(said, again.stdout)

    def use_own_cluster(self, life):
        """Where the spec names no cluster, kubectl's context is its cluster."""
        if not life.meant.cluster:
            life.sandbox.use_context("mine", cluster={"server": life.kubernetes.url, "certificate-authority-data": life.kubernetes.certificate})

    def check_context(self, life):
        """kubectl spoke to the spec's cluster, by a kubeconfig that is gone now; the user's own was left alone."""
        meant = life.meant
        context = f"gke_{meant.project}_{meant.location}_{meant.cluster}" if meant.cluster else "mine"
        self.assertEqual({call.context for call in life.sandbox.calls("kubectl") if "config" not in call.argv}, {context})
        self.assertEqual(life.sandbox.kubeconfig.exists(), not meant.cluster)


if __name__ == "__main__":
    unittest.main()
