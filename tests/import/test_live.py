"""Objects as a cluster has them, with all defaults of their types, a status and what controllers add, mean what their manifests do."""
import re
import unittest

import importing
import yaml
from live_objects import fill, live, type_of

KINDS = ("Job", "JobSet", "Deployment", "LeaderWorkerSet", "RayCluster", "RayJob", "RayService", "CronJob", "Service", "ClusterQueue", "LocalQueue", "ResourceFlavor")


def meaning(spec):
    """What it compiles to, with every default."""
    files, errors, _ = importing.compile_spec(spec, "--emit", "manifests,queues")
    objects = [each for _, text in sorted(files.items()) for each in yaml.safe_load_all(text)]
    for each in objects:
        if each["kind"] in KINDS:
            fill(each, type_of(each), unwritten=())
    return objects or errors


def lost(findings):
    """What is lost or changes, without places, which differ."""
    return sorted(re.sub(r"^\S+: ", "", line) for line in findings.splitlines() if re.search("FS51(06|07|11)", line))


RAY = """apiVersion: flexslice/v1
name: ray
tpu: {type: v6e, topology: 4x4}
provisioning: {create: false, model: on-demand}
workload: {kind: raycluster, image: 'rayproject/ray:2.51.0', ray: {version: 2.51.0}}
"""


def specs():
    """(name, text, options)"""
    yield "a RayCluster", RAY, []
    for path in sorted((importing.ROOT / "examples").glob("*/spec.yaml")):
        if "\nmatrix:" not in path.read_text():
            yield path.parent.name, path.read_text(), importing.options(path.parent)


class Live(unittest.TestCase):
    maxDiff = None

    def test_specs(self):
        done = set()
        for name, text, options in specs():
            files, _, _ = importing.compile_spec(text, "--emit", "manifests,queues", *options)
            objects = [each for text in files.values() for each in yaml.safe_load_all(text) if each["kind"] in KINDS]
            whole = {"objects.yaml": yaml.safe_dump_all(objects, sort_keys=False)}
            dump = {"objects.yaml": yaml.safe_dump_all([live(each) for each in objects], sort_keys=False)}
            with self.subTest(spec=name):
                spec, findings, _ = importing.import_files(whole, "--format", "short")
                again, other, _ = importing.import_files(dump, "--format", "short")
                self.assertEqual(meaning(spec), meaning(again))
                self.assertEqual(lost(findings), lost(other))
                if "podFailurePolicy" not in spec:
                    self.assertNotIn("podFailurePolicy", again)
                done |= {each["kind"] for each in objects}
        self.assertEqual(set(KINDS), done)

    def test_defaults_of_another_type(self):
        """A field of two types has two defaults, and one that hangs on another field has a second one."""
        kinds = {"rayjob": ("RayJob", "backoffLimit", 6, 0), "job": ("Job", "backoffLimit", 0, 6), "deployment": ("Deployment", "revisionHistoryLimit", 3, 10)}
        for kind, (name, field, value, default) in kinds.items():
            text = RAY.replace("4x4", "2x2").replace("raycluster", kind)
            text = text.replace("ray: {", "command: [python], ray: {" if kind == "rayjob" else "command: [python]").replace("[python]version: 2.51.0}", "[python]")
            files, errors, _ = importing.compile_spec(text, "--emit", "manifests")
            objects = [each for stream in files.values() for each in yaml.safe_load_all(stream)]
            for said, kept in ((value, value), (default, None)):
                with self.subTest(kind=name, value=said):
                    for each in objects:
                        if each["kind"] == name:
                            each["spec"][field] = said
                    spec, findings, _ = importing.import_files({"objects.yaml": yaml.safe_dump_all([live(each) for each in objects])}, "--format", "short")
                    made = meaning(spec)
                    self.assertIsInstance(made, list, f"{errors}\n{spec}\n{made}")
                    self.assertIn(default if kept is None else kept, [each["spec"].get(field) for each in made if each["kind"] == name])
                    self.assertEqual([], lost(findings))


if __name__ == "__main__":
    unittest.main()
