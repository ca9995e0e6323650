"""kustomize, as kubectl has it, follows every name in what flexslice compiles, with the configuration of examples/kustomize."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import yaml

from sandbox import WHOLE

ROOT = pathlib.Path(__file__).resolve().parents[2]
ALL_EXAMPLES = sorted(ROOT.glob("examples/*/spec.yaml"))
# Each costs some starts of kubectl: e2e-kustomize-whole takes all, e2e-kustomize one of each kind whose names other objects have.
EXAMPLES = ALL_EXAMPLES if WHOLE else [spec for spec in ALL_EXAMPLES if spec.parent.name in ("autoscaling", "everything", "fine-tune", "gateway", "kustomize", "multislice", "queued", "ray-fine-tune", "serve", "serve-multi-host", "single-host", "warm")]
FLEXSLICE = os.environ.get("FLEXSLICE", str(ROOT / "build/dev/flexslice"))
KUBECTL = shutil.which("kubectl")
# Not queues.yaml: kustomize does not follow names from a namespace to objects without one whose kinds it does not know.
FILES = ("manifests.yaml", "volumes.yaml", "computeclass.yaml")
# Names that are no references: of containers and volumes in their pod, labels that pods and selectors have alike, labels and taints of
# node pools that pods name, node pools, words of programs.
OTHER_NAMES = re.compile(r"""
    \.(containers|initContainers)\[\]\.(name|command\[\]|args\[\]) | \.volumes\[\]\.name | \.volumeMounts\[\]\.name | \.containerName$
    | \.(selector|matchLabels|labels)\.(app|flexslice-[a-z]+)$ | [tT]aints\[\]\.value$ | \.tolerations\[\]\.value$ | gke-nodepool | \.nodeSelector\.flexslice/workload$
    | matchExpressions\[\]\.values\[\]$ | ^\.metadata\.namespace$ | \.endpointPickerRef\.name$ | \.serviceAccountName$""", re.VERBOSE)


def compiled(spec, folder):
    """The folders that compile makes of a spec, each with the files that kubectl gets."""
    done = subprocess.run([FLEXSLICE, "compile", spec, "--out-dir", folder], capture_output=True, text=True, timeout=120)
    return [each for each in sorted(folder.iterdir()) if (each / "manifests.yaml").exists()] if done.returncode == 0 else []


def scalars(node, path=""):
    if isinstance(node, dict):
        for key, value in node.items():
            yield from scalars(value, f"{path}.{key}")
    elif isinstance(node, list):
        for value in node:
            yield from scalars(value, path + "[]")
    elif isinstance(node, str):
        yield path, node


def documents(text):
    return [each for each in yaml.safe_load_all(text) if each]


@unittest.skipUnless(KUBECTL, "kubectl is missing")
class Kustomize(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        directory = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.examples = [(spec.parent.name, compiled(spec, pathlib.Path(directory, spec.parent.name)))
                        for spec in EXAMPLES]

    def build(self, folder, kustomization):
        (folder / "kustomization.yaml").write_text(yaml.safe_dump(kustomization))
        done = subprocess.run([KUBECTL, "kustomize", folder], capture_output=True, text=True, timeout=120)
        self.assertEqual(0, done.returncode, done.stderr)
        return documents(done.stdout)

    def each_example(self, check):
        for example, folders in self.examples:
            for folder in folders[:2]:
                shutil.copy(ROOT / "examples/kustomize/references.yaml", folder)
                resources = [name for name in FILES if (folder / name).exists()]
                names = {each["metadata"]["name"] for name in resources for each in documents((folder / name).read_text())}
                with self.subTest(example=example, workload=folder.name):
                    check(folder, {"resources": resources}, names)

    def old_names(self, objects, names):
        return [(each["kind"], path, text) for each in objects for path, text in scalars(each)
                if text in names and not OTHER_NAMES.search(path)]

    def test_names_follow(self):
        kept = set()

        def check(folder, kustomization, names):
            changes = kustomization | {"namePrefix": "dev-", "nameSuffix": "-x"}
            kept.update(kind for kind, _, _ in self.old_names(self.build(folder, changes), names))
            self.assertEqual([], self.old_names(self.build(folder, changes | {"configurations": ["references.yaml"]}), names))
        self.each_example(check)
        # Without the configuration these keep old names.
        self.assertLessEqual({"Job", "Service", "HorizontalPodAutoscaler", "RayJob"}, kept)

    def test_services_select_what_has_their_labels(self):
        def check(folder, kustomization, _):
            labels = {"labels": [{"pairs": {"team": "blue"}, "includeSelectors": True}], "configurations": ["references.yaml"]}
            objects = self.build(folder, kustomization | labels)
            pods = [template["metadata"]["labels"] for each in objects for template in self.templates(each)]
            for each in objects:
                selector = each["spec"].get("selector") if each["kind"] == "Service" else None
                # Controllers set the labels that begin like these.
                own = {key: value for key, value in (selector or {}).items() if "/" not in key and key != "job-name"}
                if selector:
                    self.assertTrue(any(own.items() <= pod.items() for pod in pods), each)
        self.each_example(check)

    def test_lint_knows_services_without_pods(self):
        for case, is_broken in (("FS5196-labels", True), ("never-labels-of-kustomize", False)):
            folder = ROOT / "tests/ui/lint" / case
            done = subprocess.run([KUBECTL, "kustomize", folder], capture_output=True, text=True, timeout=120)
            objects = documents(done.stdout)
            pods = [template["metadata"]["labels"] for each in objects for template in self.templates(each)]
            selector, = [each["spec"]["selector"] for each in objects if each["kind"] == "Service"]
            self.assertEqual(is_broken, not any(selector.items() <= pod.items() for pod in pods), case)
            said = subprocess.run([FLEXSLICE, "lint", folder], capture_output=True, text=True, timeout=120)
            self.assertEqual(is_broken, "FS5196" in said.stdout, case)

    def test_patches_over_patches(self):
        folder = ROOT / "tests/ui/lint/never-overlay-of-an-overlay/top"
        done = subprocess.run([KUBECTL, "kustomize", folder], capture_output=True, text=True, timeout=120)
        job, = [each for each in documents(done.stdout) if each["kind"] == "Job"]
        self.assertEqual((4, "4x4"), (job["spec"]["completions"], job["spec"]["template"]["spec"]["nodeSelector"]["cloud.google.com/gke-tpu-topology"]))

    def templates(self, node):
        if isinstance(node, dict):
            if "spec" in node and isinstance(node["spec"], dict) and "containers" in node["spec"] and "labels" in node.get("metadata", {}):
                yield node
            for value in node.values():
                yield from self.templates(value)
        elif isinstance(node, list):
            for value in node:
                yield from self.templates(value)


if __name__ == "__main__":
    unittest.main()
