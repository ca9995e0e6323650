"""check --upgrade: what of specs and files a release refuses or changes, and what comes first. Releases that a run installs."""
import json

from linting import FINDINGS, FINE, BatchCase, spec

FLAVOR = """\
apiVersion: kueue.x-k8s.io/{version}
kind: ResourceFlavor
metadata: {{name: v6e}}
spec:
  nodeLabels:
    cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
    cloud.google.com/gke-tpu-topology: 4x4
"""
SERVICE = """\
apiVersion: ray.io/v1
kind: RayService
metadata: {{name: chat, labels: {{kueue.x-k8s.io/queue-name: team-a}}}}
spec:
{more}  rayClusterConfig:
    headGroupSpec:
      rayStartParams: {{}}
      template: {{spec: {{containers: [{{name: head, image: "rayproject/ray:2.51.0"}}]}}}}
"""
TRAIN_JOB = """\
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: train}
spec:
  runtimeRef: {name: jax}
  podTemplateOverrides: []
"""
URL = "https://github.com/kubernetes-sigs/kueue/releases/download/"


class Upgrades(BatchCase):
    def codes(self, *words):
        done = self.run_flexslice("check", *words, "--format", "json")
        return [(each["file"], each["code"]) for each in json.loads(done.out)]

    def test_versions_that_the_release_does_not_serve(self):
        self.write("old.yaml", FLAVOR.format(version="v1beta1"))
        self.write("new.yaml", FLAVOR.format(version="v1beta2"))
        self.assertEqual([("old.yaml", "FS5037"), ("old.yaml", "FS4295")], sorted(
            self.codes("--upgrade", "kueue=0.20", "old.yaml", "new.yaml"), key=lambda each: each[1] != "FS5037"))
        self.assertEqual([], self.codes("--upgrade", "kueue=0.19", "old.yaml", "new.yaml"))
        self.assertEqual([("new.yaml", "FS4295")], self.codes("--upgrade", "kueue=0.14", "old.yaml", "new.yaml"))

    def test_what_is_refused(self):
        self.write("a.yaml", SERVICE.format(more=""))
        self.write("b.yaml", SERVICE.format(more="  upgradeStrategy: {type: None}\n"))
        self.write("c.yaml", SERVICE.format(more="  upgradeStrategy: {type: NewCluster}\n"))
        self.assertEqual([("a.yaml", "FS5035"), ("c.yaml", "FS5035")],
                         self.codes("--upgrade", "kueue=0.20", "a.yaml", "b.yaml", "c.yaml"))
        self.write("job.yaml", TRAIN_JOB)
        self.assertEqual([("job.yaml", "FS5035")], self.codes("--upgrade", "trainer=2.2.0", "job.yaml"))
        self.assertEqual([], self.codes("--upgrade", "trainer=2.1.0", "job.yaml"))
        self.assertEqual([], self.codes("--upgrade", "trainer=2.2..2.3", "job.yaml"))

    def test_specs_are_judged_for_the_release(self):
        self.write("a.yaml", spec("train").replace("provisioning: {", "provisioning: {queue: team-a, "))
        self.expect(FINDINGS, "check", "a.yaml", "--upgrade", "kueue=0.14")
        done = self.fine("check", "a.yaml", "--upgrade", "kueue=0.20")
        self.assertIn("Steps, in this order:\n1. Kueue 0.17.0: ", done.out)
        self.assertIn("hack/migrate-to-v1beta2.sh", done.out)
        self.assertRegex(done.out, r"\d+\. upgrade Kueue to 0\.20\n\Z")

    def test_order_of_programs(self):
        self.write("a.yaml", spec("train"))
        out = self.fine("check", "a.yaml", "--upgrade", "kueue=0.19..0.20", "--upgrade", "gke=1.35", "--upgrade", "trainer=2.3").out
        places = [out.index(f". upgrade {title} to ") for title in ("GKE", "Trainer", "Kueue")]
        self.assertEqual(sorted(places), places)
        self.assertIn("cgroup v2", out)
        self.assertNotIn("Kueue 0.17.0", out)

    def test_usage(self):
        self.write("a.yaml", spec("train"))
        for word in ("kueue", "kueue=", "kueue=new", "istio=1.2", "kueue=0.19..x"):
            self.assertIn("--upgrade", self.usage("check", "a.yaml", "--upgrade", word))
        self.usage("check", "a.yaml", "--upgrade", "kueue=0.20", "--fix")
        self.write("b.yaml", FLAVOR.format(version="v1beta1"))
        self.usage("check", "a.yaml", "b.yaml", "--upgrade", "kueue=0.20", "--format", "json")


class InstalledReleases(BatchCase):
    def findings(self, script, version="v1beta2"):
        self.write("install.sh", script)
        self.write("queue.yaml", FLAVOR.format(version=version))
        done = self.run_flexslice("lint", "--notes", "--format", "short", ".")
        return [line.split("[")[1].split("]")[0] for line in done.out.splitlines() if "queue.yaml" in line and "[" in line]

    def test_forms(self):
        for script in (f"kubectl apply --server-side -f {URL}v0.11.0/manifests.yaml\n",
                       f"V=0.11.0\nkubectl apply -f {URL}v$V/manifests.yaml\n",
                       f"export V=v0.11.0\nkubectl apply -f \"{URL}${{V}}/manifests.yaml\"\n",
                       "kubectl apply -k 'github.com/kubernetes-sigs/kueue/config/default?ref=v0.11.0'\n",
                       "helm install kueue oci://registry.k8s.io/kueue/charts/kueue --version=0.11.0\n",
                       "helm upgrade --install kueue oci://registry.k8s.io/kueue/charts/kueue \\\n  --version 0.11.0\n"):
            with self.subTest(script=script):
                self.assertEqual(["FS4295"], self.findings(script))
                self.assertEqual([], self.findings(script, "v1beta1"))

    def test_nothing_is_installed(self):
        for script in (f"# kubectl apply -f {URL}v0.11.0/manifests.yaml\n", f"kubectl delete -f {URL}v0.11.0/manifests.yaml\n",
                       f"kubectl apply -f {URL}$V/manifests.yaml\n", f"kubectl apply -f {URL}v0.15.1/manifests.yaml\n",
                       f"kubectl apply -f {URL}v0.11.0/manifests.yaml\nkubectl apply -f {URL}v0.19.0/manifests.yaml\n",
                       "helm install jobset oci://registry.k8s.io/jobset/charts/jobset --version=0.8.0\n"):
            with self.subTest(script=script):
                self.assertEqual([], self.findings(script))


class Overlays(BatchCase):
    def test_fields_kinds_and_releases(self):
        self.write("new.yaml", "servedApis:\n  - {version: kueue.x-k8s.io/v1beta2, kinds: [Reservation], fields: [ResourceFlavor spec.newField]}\n"
                               "  - {version: kueue.x-k8s.io/v1beta3, controller: kueue, since: 0.22.0, kinds: [ResourceFlavor]}\n")
        self.write("a.yaml", FLAVOR.format(version="v1beta2") + "  newField: {a: 1}\n")
        self.write("b.yaml", FLAVOR.format(version="v1beta3"))
        self.assertIn("FS5264", self.run_flexslice("lint", "a.yaml").out)
        self.assertEqual(FINE, self.run_flexslice("lint", "a.yaml").status)
        self.assertIn("FS5019", self.run_flexslice("lint", "b.yaml").out)
        done = self.fine("lint", "a.yaml", "b.yaml", "--catalog", "new.yaml")
        self.assertEqual("", done.out)
        self.assertIn("from 0.22.0", self.fine("explain", "kueue", "--catalog", "new.yaml").out)
