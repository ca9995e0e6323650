"""krm: a ResourceList goes in, and comes out with manifests in place of its specs, or as it was."""
import json
import os
import pathlib
import subprocess
import unittest

import yaml

FLEXSLICE = os.environ["FLEXSLICE"]
ROOT = pathlib.Path(__file__).parents[2]
KUSTOMIZE = ROOT / "examples/kustomize"

SPEC = """\
  - apiVersion: flexslice/v1
    kind: Workload
    metadata:
      name: sleep
      annotations:
        internal.config.kubernetes.io/path: specs/sleep.yaml
    cluster: {name: research, location: us-east5-b}
    tpu: {type: v6e, topology: 4x4}
    provisioning: {model: spot, queue: team}
    namespace: ml
    workload: {image: busybox, env: {A: "one\\n---\\ntwo"}}
"""
OTHERS = """\
  # Kept.
  - apiVersion: v1
    kind: ConfigMap
    metadata:
      name: b  # {"$kpt-set": "b"}
    data:
      script: |
        #!/bin/sh

          ---
        echo 1   # c
  - {"apiVersion": "v1", "kind": "ConfigMap",
     "metadata": {"name": "a"}, "data": {"n": "010", "yes": "no"}}
"""
HEAD = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"


def krm(text, *options):
    data = text if isinstance(text, bytes) else text.encode()
    done = subprocess.run([FLEXSLICE, "krm", *options], input=data, capture_output=True, timeout=60)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def names(items):
    return [(each["kind"], each["metadata"]["name"]) for each in items]


class Krm(unittest.TestCase):
    def test_specs_become_manifests(self):
        status, out, err = krm(HEAD + OTHERS + SPEC)
        self.assertEqual((0, ""), (status, err))
        made = yaml.safe_load(out)
        self.assertEqual(("config.kubernetes.io/v1", "ResourceList"), (made["apiVersion"], made["kind"]))
        self.assertEqual(yaml.safe_load(OTHERS), made["items"][:2])
        self.assertEqual([("Service", "sleep"), ("Job", "sleep"), ("Topology", "tpu-slices"), ("ResourceFlavor", "v6e-4x4-spot"),
                          ("ClusterQueue", "team"), ("LocalQueue", "team")], names(made["items"][2:]))
        job = made["items"][3]
        self.assertEqual("ml", job["metadata"]["namespace"])
        self.assertEqual("one\n---\ntwo", job["spec"]["template"]["spec"]["containers"][0]["env"][0]["value"])
        self.assertNotIn("results", made)

    def test_what_is_no_spec_is_kept_with_its_comments(self):
        status, out, _ = krm(HEAD + OTHERS)
        self.assertEqual(0, status)
        self.assertIn("# Kept.\n- apiVersion: v1\n", out)
        self.assertIn('    name: b  # {"$kpt-set": "b"}\n', out)
        self.assertIn("\n      echo 1   # c\n", out)
        self.assertEqual(yaml.safe_load(OTHERS), yaml.safe_load(out)["items"])

    def test_a_generator(self):
        """kustomize passes the spec as functionConfig and as an item; other callers as the first alone."""
        spec = yaml.safe_load((KUSTOMIZE / "sleep.yaml").read_text())
        for items in ([], [spec]):
            given = {"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "functionConfig": spec, "items": items}
            for text in (json.dumps(given), yaml.safe_dump(given)):
                status, out, err = krm(text)
                self.assertEqual((0, ""), (status, err))
                self.assertEqual([("Service", "sleep"), ("Job", "sleep")], names(yaml.safe_load(out)["items"]))

    def test_the_script_of_the_example(self):
        """It takes the program that FLEXSLICE names, wherever that is."""
        given = json.dumps({"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [yaml.safe_load((KUSTOMIZE / "sleep.yaml").read_text())]})
        done = subprocess.run([KUSTOMIZE / "krm.sh"], input=given, capture_output=True, text=True, env={"FLEXSLICE": FLEXSLICE, "PATH": "/usr/bin:/bin"}, check=True)
        self.assertEqual([("Service", "sleep"), ("Job", "sleep")], names(yaml.safe_load(done.stdout)["items"]))

    def test_claims_are_items(self):
        """Two specs share a StorageClass; each has its own claim."""
        volume = ", volumes: [{name: data, mountPath: /data, pvc: {name: NAME-data, size: 500Gi}}]}\n"
        specs = [SPEC.replace("name: sleep", f"name: {name}").replace("4x4", "2x2").replace("}}\n", "}" + volume.replace("NAME", name)) for name in ("sleep", "wake")]
        status, out, err = krm(HEAD + "".join(specs))
        self.assertEqual((0, ""), (status, err))
        items = names(yaml.safe_load(out)["items"])
        self.assertEqual([("StorageClass", "flexslice-hyperdisk-balanced"), ("PersistentVolumeClaim", "sleep-data"), ("PersistentVolumeClaim", "wake-data")],
                         [each for each in items if each[0] in ("StorageClass", "PersistentVolumeClaim")])
        self.assertEqual(len(items), len(set(items)))

    def test_two_specs_share_a_queue(self):
        other = SPEC.replace("name: sleep", "name: wake")
        status, out, _ = krm(HEAD + SPEC + other)
        self.assertEqual(0, status)
        items = names(yaml.safe_load(out)["items"])
        self.assertEqual(len(items), len(set(items)))
        self.assertEqual(1, sum(kind == "ClusterQueue" for kind, _ in items))

    def test_a_mistake_leaves_the_items(self):
        text = HEAD + OTHERS + SPEC + SPEC.replace("name: sleep", "name: wake").replace("topology: 4x4", "topology: 4x5")
        status, out, err = krm(text)
        made = yaml.safe_load(out)
        self.assertEqual(1, status)
        self.assertEqual(yaml.safe_load(text)["items"], made["items"])
        self.assertEqual([{
            "message": "topology 4x5 is not available for v6e", "severity": "error",
            "resourceRef": {"apiVersion": "flexslice/v1", "kind": "Workload", "name": "wake"},
            "file": {"path": "specs/sleep.yaml"}, "tags": {"code": "FS3002"}}], made["results"])
        self.assertIn("<stdin>:35:32: error[FS3002]", err)

    def test_warnings_are_results(self):
        text = HEAD + SPEC.replace("model: spot, queue: team", "model: spot").replace("location: us-east5-b", "location: us-west1-b")
        status, out, _ = krm(text)
        self.assertEqual([(0, "warning")], [(status, each["severity"]) for each in yaml.safe_load(out)["results"]])
        self.assertEqual(1, krm(text, "--deny", "warnings")[0])

    def test_a_sweep_is_refused(self):
        status, out, err = krm(HEAD + SPEC + "    matrix: {vary: {workload.env.B: [x, y]}}\n")
        self.assertEqual((1, ["error"]), (status, [each["severity"] for each in yaml.safe_load(out)["results"]]))
        self.assertIn("a spec with `matrix` or `places` is several workloads", err)

    def test_hostile_input(self):
        for text in (b"", b"a: [", b"\xff\xfe\x00", b"kind: List\nitems: []\n", HEAD + "  text\n", HEAD + "---\n" + HEAD, "[1, 2]", "kind: ResourceList\nitems: 3\n",
                     HEAD + "  - 7\n  -\n  - [a]\n" + SPEC.replace("topology: 4x4", "topology: *a"), "kind: [ResourceList]\n", "a: &a [1]\nb: &b [*a, *a]\n" * 3):
            status, out, err = krm(text)
            made = yaml.safe_load(out)
            self.assertEqual((1, "ResourceList", []), (status, made["kind"], made["items"]), text)
            self.assertTrue(made["results"] and err, text)


if __name__ == "__main__":
    unittest.main()
