"""What is wrong in the objects of a queue has one code, whatever door it comes in by."""
import pathlib
import subprocess
import tempfile
import unittest

import doors
import yaml

MODELS = {"spot": {"queue": "team-a", "model": "spot"}, "requested": {"queue": "team-a", "model": "flex-start-queued"}}
# code: (model, kind, what it changes in the object of that kind, as a merge patch)
MISTAKES = {
    "FS5133": ("spot", "ClusterQueue", {"spec": {"resourceGroups": [{"coveredResources": ["google.com/tpu", "ephemeral-storage"], "flavors": [
        {"name": "v6e-2x2-spot", "resources": [{"name": "ephemeral-storage", "nominalQuota": "80Gi"}, {"name": "google.com/tpu", "nominalQuota": "4"}]}]}]}}),
    "FS4244": ("spot", "LocalQueue", {"spec": {"clusterQueue": "other"}}),
    "FS4245": ("spot", "ClusterQueue", {"spec": {"resourceGroups": [{"coveredResources": ["google.com/tpu", "ephemeral-storage"], "flavors": [
        {"name": "v6e-2x2-spot", "resources": [{"name": "google.com/tpu", "nominalQuota": "2"}, {"name": "ephemeral-storage", "nominalQuota": "80Gi"}]}]}]}}),
    "FS5140": ("requested", "ProvisioningRequestConfig", {"spec": {"managedResources": ["nvidia.com/gpu"]}}),
}


class Queues(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def made(self, model, emit):
        self.spec = doors.spec("Job", {"provisioning": MODELS[model]})
        self.write("base.yaml", doors.dump(self.spec))
        done = subprocess.run([doors.FLEXSLICE, "compile", "--emit", emit, "base.yaml"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(0, done.returncode, done.stderr)
        return list(yaml.safe_load_all(done.stdout))

    def found(self, command, *names):
        return {code for codes in doors.codes(command, self.folder, list(names)).values() for code in codes}

    def test_doors(self):
        for code, (model, kind, change) in MISTAKES.items():
            objects = self.made(model, "queues") + self.made(model, "manifests")
            for expected, all_objects in ((set(), objects),
                                          ({code}, [doors.merged(each, change) if each["kind"] == kind else each for each in objects])):
                text = "---\n".join(doors.dump(each) for each in all_objects)
                self.write("queues.yaml", text)
                self.write("queues.md", doors.page(text))
                self.write("queues.sh", doors.script(text))
                for file in ("queues.yaml", "queues.md", "queues.sh"):
                    with self.subTest(code, file=file, expected=expected):
                        self.assertEqual(expected, self.found("lint", file))
                with self.subTest(code, door="import", expected=expected):
                    self.assertEqual(expected, self.found("import", "queues.yaml") & set(MISTAKES))
                patches = {"patches": [{"target": {"kind": kind}, "merge": change}]} if expected else {}
                self.write("spec.yaml", doors.dump({**self.spec, **patches}))
                with self.subTest(code, door="patch", expected=expected):
                    self.assertEqual(expected, self.found("check", "spec.yaml"))


if __name__ == "__main__":
    unittest.main()
