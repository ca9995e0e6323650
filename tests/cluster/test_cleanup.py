"""cleanup.sh and what goes away by itself, on a cluster; each example's own cleanup is in test_examples.py."""

import tempfile
import unittest
from pathlib import Path

import report
import workloads
from control_plane import ControlPlane, eventually
from gke import Gke
from gcloud import Google
from workloads import compile_spec, merged

TABLE = report.Table("cleanup")

SPEC = {
    "apiVersion": "flexslice/v1", "name": "t", "cluster": {"name": "c", "location": "us-east5"},
    "tpu": {"type": "v6e", "topology": "4x4"}, "provisioning": {"model": "on-demand", "zones": ["us-east5-b"]},
    "workload": {"image": "busybox", "command": ["run"]},
}
JOBSET = {"workload": {"kind": "jobset"}}


def tearDownModule():
    TABLE.finish()


class Cleanup(unittest.TestCase):
    """Base: one control plane, and a workload that runs on it."""

    controllers = None

    @classmethod
    def setUpClass(cls):
        cls.plane = cls.enterClassContext(ControlPlane(cls.controllers))

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.gke = self.enterContext(Gke(self.plane))
        self.addCleanup(self.gke.remove_pools)

    def compiled(self, *changes):
        """The artifacts of a spec, its pools, and a gcloud that knows them."""
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        made = compile_spec(merged(SPEC, *changes), folder)
        self.gke.provision(made.commands())
        return made, Google(self.plane, folder, made.commands())

    def gone(self, made, namespace):
        """Nothing of the workload is left in the namespace."""
        for each in made.objects():
            found = self.plane.kubectl("get", each["kind"].lower(), each["metadata"]["name"], "-n", namespace, "--ignore-not-found")
            self.assertEqual(found.stdout, "")
        eventually(lambda: not self.plane.list("pods", namespace), "pods are still there")


class WithoutControllers(Cleanup):
    """A cluster in which neither JobSet nor Kueue was installed."""

    controllers = ()

    def test_jobset_is_not_installed(self):
        """What a cluster cannot have is gone; the pools are deleted."""
        made, google = self.compiled(JOBSET)
        done = google.run(made.path("cleanup.sh"))
        self.assertEqual((done.returncode, google.left()), (0, []), done.stderr)
        TABLE.row("JobSet is not installed", "exit 0, pools deleted")

    def test_objects_that_cannot_be_deleted(self):
        """The pools, which cost money, are deleted where their pods can be seen, and else only with --force; the end says what is left."""
        made, google = self.compiled()
        self.plane.kubectl("apply", "-f", made.path("manifests.yaml"))
        google.impersonate("somebody-without-rights")
        done = google.run(made.path("cleanup.sh"))
        self.assertEqual((done.returncode, google.left()), (1, ["t-pool"]), done.stderr)
        self.assertIn("Delete node pool t-pool: cannot see whether pods of other workloads use it", done.stderr)
        done = google.run(made.path("cleanup.sh"), "--force")
        self.assertEqual((done.returncode, google.left()), (1, []), done.stderr)
        self.assertIn("forbidden", done.stderr)
        self.plane.kubectl("delete", "-f", made.path("manifests.yaml"))
        TABLE.row("deletion and pods are forbidden", "exit 1, reported; pools stay, and go with --force")

    def test_namespace_of_the_context(self):
        """A spec without a namespace is applied to that of the context, and cleaned up there."""
        made, google = self.compiled()
        for options, context in ((["--namespace=chosen"], None), ([], "chosen")):
            self.plane.namespace("chosen")
            self.plane.kubectl("apply", "-n", "chosen", "-f", made.path("manifests.yaml"))
            eventually(lambda: len(self.plane.list("pods", "chosen")) == 4, "no pods")
            done = google.run(made.path("cleanup.sh"), *options, context=context)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("chosen", done.stdout + done.stderr)
            self.gone(made, "chosen")
        TABLE.row("namespace of the context, or --namespace", "the workload is deleted there")

    def test_twice(self):
        """What is gone already is no error, and is said."""
        made, google = self.compiled()
        self.plane.kubectl("apply", "-f", made.path("manifests.yaml"))
        for attempt in ("first", "second"):
            done = google.run(made.path("cleanup.sh"))
            self.assertEqual((done.returncode, google.left()), (0, []), f"{attempt}: {done.stderr}")
        self.assertIn(f"no Job {made.name} in namespace default", done.stdout)
        self.gone(made, "default")
        TABLE.row("cleanup.sh twice", "exit 0 both times; the second says that nothing was found")

    def test_in_each_order(self):
        """Two workloads whose names begin alike, in one namespace: whichever is cleaned up first, the other one runs on."""
        for names in (("t", "t-2"), ("t-2", "t")):
            with self.subTest(names):
                made = [self.compiled({"name": name})[0] for name in names]
                google = Google(self.plane, tempfile.mkdtemp(dir=self.folder), "".join(each.commands() for each in made))
                for each in made:
                    self.plane.kubectl("apply", "-f", each.path("manifests.yaml"))
                before = [{pod["metadata"]["uid"] for pod in each.wait_started(self.plane)} for each in made]
                done = google.run(made[0].path("cleanup.sh"))
                self.assertEqual((done.returncode, google.left()), (0, [f"{names[1]}-pool"]), done.stderr)
                eventually(lambda: not made[0].pods(self.plane), "pods are still there")
                self.assertEqual({pod["metadata"]["uid"] for pod in made[1].wait_started(self.plane)}, before[1])
                done = google.run(made[1].path("cleanup.sh"))
                self.assertEqual((done.returncode, google.left()), (0, []), done.stderr)
                for each in made:
                    self.gone(each, "default")
        TABLE.row("t and t-2 of one namespace, in both orders", "the other one runs on")

    def test_after_the_objects(self):
        """A person deletes the objects, or their namespace, before cleanup.sh: it deletes the pools."""
        for what in ("objects", "namespace"):
            with self.subTest(what):
                made, google = self.compiled({"namespace": self.plane.namespace("orders")})
                self.plane.kubectl("apply", "-f", made.path("manifests.yaml"))
                made.wait_started(self.plane)
                self.plane.kubectl("delete", *(("-f", made.path("manifests.yaml")) if what == "objects" else ("namespace", "orders", "--timeout=60s")))
                done = google.run(made.path("cleanup.sh"))
                self.assertEqual((done.returncode, google.left()), (0, []), done.stderr)
                self.gone(made, "orders")
        TABLE.row("objects or namespace deleted before", "exit 0, pools deleted")

    def test_claims(self):
        """A claim stays, is named and can be mounted again; only --delete-volumes deletes it, with the rest or after it."""
        claim = {"workload": {"volumes": [{"name": "out", "mountPath": "/out", "pvc": {"name": "out", "size": "1Ti", "class": "shared-rwx"}}]}}
        for orders in (([], [], ["--delete-volumes"]), (["--delete-volumes"],)):
            made, google = self.compiled(claim)
            self.plane.kubectl("apply", "-f", made.path("volumes.yaml"))
            uid = self.plane.get("persistentvolumeclaims", "default", "out")["metadata"]["uid"]
            for arguments in orders:
                with self.subTest(arguments, of=len(orders)):
                    self.plane.kubectl("apply", *(word for file in made.files() for word in ("-f", file)))
                    eventually(lambda: len(made.pods(self.plane)) == 4, "no pods")
                    done = google.run(made.path("cleanup.sh"), *arguments)
                    self.assertEqual((done.returncode, google.left()), (0, []), done.stderr)
                    left = self.plane.get("persistentvolumeclaims", "default", "out")
                    self.assertEqual(left and left["metadata"]["uid"], None if arguments else uid)
                    self.assertEqual("--delete-volumes deletes it" in done.stdout, not arguments, done.stdout)
                    self.gone(made, "default")
        TABLE.row("a claim", "stays, named and the same, until --delete-volumes")


class WithControllers(Cleanup):
    """A cluster with JobSet and Kueue."""

    controllers = ("jobset", "kueue")

    def ends(self, made):
        self.plane.kubectl("apply", "-f", made.path("manifests.yaml"))
        made.wait_started(self.plane)
        self.gke.finish(made.namespace, made.name)

    def test_ttl(self):
        """A finished workload goes away by itself, and its pods with it; cleanup.sh deletes the Service, which stays."""
        for kind in ("job", "jobset"):
            made, google = self.compiled({"name": f"short-{kind}", "workload": {"kind": kind, "ttlAfterFinished": "3s"}})
            self.ends(made)
            resource = kind + "s"
            eventually(lambda: self.plane.get(resource, made.namespace, made.name) is None, f"the {kind} is still there")
            eventually(lambda: not made.pods(self.plane), "pods are still there")
            done = google.run(made.path("cleanup.sh"))
            self.assertEqual((done.returncode, google.left()), (0, []), done.stderr)
            self.gone(made, made.namespace)
            TABLE.row(f"{kind} with ttlAfterFinished", "gone by itself; cleanup.sh deletes the rest")

    def test_another_kind_of_the_same_name(self):
        """A Job, cleaned up, and then a JobSet of its name: its hosts can be found."""
        for kind in ("job", "jobset"):
            made, google = self.compiled({"name": "changed", "workload": {"kind": kind}})
            self.plane.kubectl("apply", "-f", made.path("manifests.yaml"))
            pods = made.wait_started(self.plane)
            [subdomain] = {pod["spec"]["subdomain"] for pod in pods}
            names = {pod["spec"]["hostname"] for pod in pods}
            eventually(lambda: made.published(self.plane, subdomain) >= names, "the Service does not publish all hosts", 20)
            done = google.run(made.path("cleanup.sh"))
            self.assertEqual(done.returncode, 0, done.stderr)
            eventually(lambda: not made.pods(self.plane), "pods are still there")
        TABLE.row("a Job, cleanup.sh, then a JobSet of its name", "the hosts of both are published")


if __name__ == "__main__":
    unittest.main()
