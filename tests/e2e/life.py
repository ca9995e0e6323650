"""Runs the scripts of one spec through the real gcloud and kubectl against a Google and a cluster of their own."""

import copy
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from expectations import CLUSTER_SCOPED
from fake_google import FakeGoogle
from fake_kubernetes import FakeKubernetes
from sandbox import Sandbox, require


def without_scopes(body):
    """The body without what gcloud adds by itself."""
    body = copy.deepcopy(body)
    for pool in [body.get("nodePool", {}), *body.get("cluster", {}).get("nodePools", [])]:
        pool.get("config", {}).pop("oauthScopes", None)
    return body


def is_question(argv):
    """Whether a kubectl call only asks what there is."""
    return argv[:2] == ["config", "view"] or argv[0] == "get" and (
        argv[1].startswith("--raw=") or any(word == "--output=name" or word.startswith("--output=jsonpath") for word in argv))


class Life:
    """One spec's scripts, a Google of its own, a control plane that is that of all its clusters, and a place to run them.

    Beside what the scripts are about there are neighbours, which no script may touch: a cluster of the same name in
    another region, a node pool and a policy whose names begin alike, and objects of the same names in another namespace.
    """

    def __init__(self, meant, scripts):
        self.meant, self.scripts = meant, scripts
        self.timeline = []  # of the DELETE requests: (path, kubectl calls made before it)
        self.fake = FakeGoogle(self._note)
        self.kubernetes = FakeKubernetes(secure=True)
        self.fake.control_plane = {"endpoint": self.kubernetes.endpoint,
                                   "masterAuth": {"clusterCaCertificate": self.kubernetes.certificate}}
        self.sandbox = Sandbox(self.fake, kubernetes=self.kubernetes)
        self.namespace = meant.namespace or "default"

    def _note(self, request):
        if request.method == "DELETE":
            self.timeline.append((request.path, self.workload()))

    def __enter__(self):
        self.fake.__enter__()
        self.kubernetes.__enter__()
        self.apply("neighbours")
        where = {"project": self.meant.project}
        if self.meant.cluster:
            self.fake.add_cluster(self.meant.cluster, "asia-east1", **where)
        if self.meant.cluster and not self.meant.new_cluster:
            self.fake.add_cluster(self.meant.cluster, self.meant.location, **where)
        for pool in self.meant.existing:
            self.fake.add_node_pool(cluster=self.meant.cluster, location=self.meant.location, **where, **copy.deepcopy(pool))
        for pool in [] if self.meant.new_cluster else self.meant.pools + self.meant.existing:
            self.fake.add_node_pool(pool["name"] + "-2", self.meant.cluster, self.meant.location, **where)
        for policy in self.meant.policies:
            self.fake.add_policy(policy["name"] + "-2", policy["region"], **where)
            self.fake.add_policy(policy["name"], policy["region"] + "2", **where)
        self._neighbours = self.state()
        return self

    def __exit__(self, *exception):
        self.sandbox.__exit__(*exception)
        self.kubernetes.__exit__()
        self.fake.__exit__(*exception)

    def apply(self, namespace=None):
        """Puts the workload into the cluster, as `kubectl apply` does."""
        for kind, name in self.meant.kinds_and_names():
            labels = {"flexslice-sweep": self.meant.sweep} if self.meant.sweep else None
            if kind not in CLUSTER_SCOPED:
                self.kubernetes.add(kind, name, namespace or self.namespace, labels)
            elif not namespace:  # it lies in none
                self.kubernetes.add(kind, name)

    def workload(self):
        """`Kind name` of the objects in the spec's namespace, or the one that a test has chosen."""
        return self.kubernetes.names().get(self.namespace, [])

    def state(self):
        """Names of all that exists at Google."""
        return sorted([*self.fake.clusters, *self.fake.node_pools, *self.fake.policies])

    def neighbours(self):
        """What is left after cleanup: all that was there at first, but for what a deleted cluster takes with it."""
        own = self.meant.cluster_path[4:] if self.meant.new_cluster else None
        return [name for name in self._neighbours if own is None or not name.startswith(own)]

    def forget(self):
        """Drops what was recorded so far; the state stays."""
        self.fake.requests.clear()
        self.timeline.clear()
        self.sandbox.forget_calls()

    def run(self, name, *arguments):
        """Runs `provision`, `verify` or `cleanup` with a clean record."""
        self.forget()
        return self.sandbox.run_script(self.scripts / f"{name}.sh", *arguments)

    def sent(self):
        """(path, body) of the POST requests."""
        return [(request.path, without_scopes(request.body)) for request in self.fake.requests if request.method == "POST"]

    def deleted(self):
        """Paths of the DELETE requests."""
        return [path for path, _ in self.timeline]

    def kubectl(self):
        """The arguments of the kubectl calls, without questions."""
        return [call.argv for call in self.sandbox.calls("kubectl") if not is_question(call.argv)]


class ScriptCase(unittest.TestCase):
    """Base of the tests that run scripts through the real gcloud."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        require("gcloud", "kubectl", "openssl")
        cls.directory = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))

    def check_quiet(self, life):
        """Nothing was asked that the fakes do not know, nothing left loopback, no neighbour is gone, and no file is left."""
        self.assertEqual((life.fake.unknown, life.fake.escapes, life.kubernetes.unknown), ([], [], []))
        in_namespace = [kind for kind, _ in life.meant.kinds_and_names() if kind not in CLUSTER_SCOPED]
        self.assertEqual(len(life.kubernetes.names().get("neighbours", [])), len(in_namespace))
        self.assertEqual(list((life.sandbox.root / "tmp").iterdir()), [])

    def ok(self, life, name, *arguments):
        done = life.run(name, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("failed", done.stderr)
        self.assertNotIn("stopped", done.stderr)
        self.check_quiet(life)
        return done

    def all_at_once(self, work, rows):
        """Calls work(row) for all rows, two at a time, each in a subtest named after its first element."""
        with ThreadPoolExecutor(2) as pool:
            for row, future in [(row, pool.submit(work, row)) for row in rows]:
                with self.subTest(row if isinstance(row, str) else row[0]):
                    future.result()
