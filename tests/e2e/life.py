"""Runs the scripts of one spec through the real gcloud against a Google of their own; the base of the tests that do."""

import copy
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from fake_google import FakeGoogle
from sandbox import Sandbox, require


def without_scopes(body):
    """The body without what gcloud adds by itself."""
    body = copy.deepcopy(body)
    for pool in [body.get("nodePool", {}), *body.get("cluster", {}).get("nodePools", [])]:
        pool.get("config", {}).pop("oauthScopes", None)
    return body


class Life:
    """One spec's scripts, a Google of its own and a place to run them.

    Beside what the scripts are about there are neighbours, which no script may touch: a cluster of the same name in
    another region, and a node pool and a policy whose names begin alike.
    """

    def __init__(self, meant, scripts):
        self.meant, self.scripts = meant, scripts
        self.timeline = []  # of the DELETE requests: (path, kubectl calls made before it)
        self.fake = FakeGoogle(self._note)
        self.sandbox = Sandbox(self.fake)

    def _note(self, request):
        if request.method == "DELETE":
            self.timeline.append((request.path, len(self.sandbox.calls("kubectl"))))

    def __enter__(self):
        self.fake.__enter__()
        where = {"project": self.meant.project}
        if self.meant.cluster:
            self.fake.add_cluster(self.meant.cluster, "asia-east1", **where)
        if self.meant.cluster and not self.meant.new_cluster:
            self.fake.add_cluster(self.meant.cluster, self.meant.location, **where)
        for pool in self.meant.pools:
            self.fake.add_node_pool(pool["name"] + "-2", self.meant.cluster, self.meant.location, **where)
        for policy in self.meant.policies:
            self.fake.add_policy(policy["name"] + "-2", policy["region"], **where)
            self.fake.add_policy(policy["name"], policy["region"] + "2", **where)
        self._neighbours = self.state()
        return self

    def __exit__(self, *exception):
        self.sandbox.__exit__(*exception)
        self.fake.__exit__(*exception)

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
        """The arguments of the kubectl calls."""
        return [call.argv for call in self.sandbox.calls("kubectl")]


class ScriptCase(unittest.TestCase):
    """Base of the tests that run scripts through the real gcloud."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        require("gcloud")
        cls.directory = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))

    def check_quiet(self, life):
        """gcloud asked for nothing that the fake does not know, and nothing left loopback."""
        self.assertEqual((life.fake.unknown, life.fake.escapes), ([], []))

    def ok(self, life, name):
        done = life.run(name)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("failed", done.stderr)
        self.check_quiet(life)
        return done

    def all_at_once(self, work, rows):
        """Calls work(row) for all rows, two at a time, each in a subtest named after its first element."""
        with ThreadPoolExecutor(2) as pool:
            for row, future in [(row, pool.submit(work, row)) for row in rows]:
                with self.subTest(row if isinstance(row, str) else row[0]):
                    future.result()
