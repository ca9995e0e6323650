"""A spec that is imported from what compile made of another one compiles to the same, and is imported unchanged."""
import difflib
import json
import random
import re
import sys
import tempfile
import unittest

import yaml
import importing
import law
import live_objects

sys.path.insert(0, str(importing.ROOT / "tests/golden"))
import expected as golden  # noqa: E402

# Facts that no artifact but the plan shows: an Autopilot cluster that the scripts do not create, for example.
def fill(spec):
    """Options for the cluster, if the input does not show it: in the region of the zones that a ComputeClass names."""
    if "\n  name: " in spec.partition("\ntpu:")[0]:
        return []
    zone = re.search(r"\n  zones:\n    - (\S+)-[a-z]\n", spec)
    return ["--set", "cluster.name=my-cluster", "--set", f"cluster.location={zone[1] if zone else 'us-central1'}"]


def meaning(name, text):
    """Of YAML the documents, in which the order of keys says nothing; of scripts the lines."""
    if not name.endswith(".yaml"):
        return text
    return "\n---\n".join(json.dumps(document, indent=1, sort_keys=True) for document in yaml.safe_load_all(text))


def difference(files, again):
    return "\n".join(line for name in sorted({*files, *again}) for line in difflib.unified_diff(
        meaning(name, files.get(name, "")).splitlines(), meaning(name, again.get(name, "")).splitlines(), name, "imported", lineterm="", n=1))


def without_comments(spec):
    """They are about the input. Its order is that of the files."""
    lines = "".join(line.partition("  #")[0].rstrip() + "\n" for line in spec.splitlines() if not line.startswith("#"))
    return "---\n".join(sorted(lines.split("---\n")))


def spec(generation, topology, machine, kind, model, slices, choice):
    text = f"""\
apiVersion: flexslice/v1
name: law
cluster: {{name: c1, location: us-east5, create: {choice.choice(("true", "false"))}}}
tpu: {{type: {generation}, topology: {topology}, machineType: {machine}, slices: {slices}}}
provisioning:
  model: {model}
  zones: [us-east5-a]
"""
    text += "  reservation: r1\n" if model == "reservation" else ""
    text += choice.choice(("", "  nodePool: mine\n", "  diskSize: 200Gi\n"))
    text += "  queue: team-a\nnamespace: team-a\n" if choice.random() < 0.3 else choice.choice(("", "namespace: research\n", "labels: {team: a}\n"))
    text += f"workload:\n  kind: {kind}\n  image: registry/image:1\n"
    text += "  ray: {version: 2.51.0}\n" if kind == "raycluster" else choice.choice(("  command: [python, train.py]\n", "  script: |\n    echo $HOME\n    run\n"))
    for field in ("env: {A: b, T: {secret: s, key: k}}", "ports: [9000]", "resources: {cpu: '8', memory: 20Gi}", "terminationGrace: 2m", "privileged: true",
                  "volumes: [{name: shm, mountPath: /dev/shm, memory: {}}]", "tolerations: [{key: a, operator: Exists}]", "nodeSelector: {team: a}", "serviceAccount: trainer"):
        text += f"  {field}\n" if choice.random() < 0.4 else ""
    return text


def fields(value, path=()):
    """Paths of all that a spec says; of a list the list itself."""
    if not isinstance(value, dict):
        yield ".".join(path)
        return
    for key, member in value.items():
        yield from fields(member, (*path, key))


# A spec may say the same in another form, and an import always says the model.
OTHER_FORMS = {"provisioning.model", "workload.env.PLAIN", "workload.ray.serveConfig"}


# Import does not see that the workloads of a sweep are one spec.
EXAMPLES = sorted(path.parent for path in (importing.ROOT / "examples").glob("*/spec.yaml") if "\nmatrix:" not in path.read_text())


class RoundTrip(unittest.TestCase):
    maxDiff = None

    def test_examples(self):
        self.assertGreater(len(EXAMPLES), 20)
        for example in EXAMPLES:
            with self.subTest(example=example.name):
                self.round_trip((example / "spec.yaml").read_text(), importing.options(example))

    def test_what_is_derived_is_left_out(self):
        for example in EXAMPLES:
            with self.subTest(example=example.name):
                made = golden.compiled(example)
                files = {name: made[name].decode() for name in importing.SOURCES if name in made}
                said = {field for spec in yaml.safe_load_all((example / "spec.yaml").read_text()) for field in fields(spec)}
                imported = {field for spec in yaml.safe_load_all(importing.import_files(files)[0]) for field in fields(spec)}
                self.assertGreater(len(imported), 5)
                self.assertEqual(set(), imported - said - OTHER_FORMS)

    def test_kinds_and_models(self):
        """Shapes of every generation, each with a kind and a model that go together."""
        choice = random.Random(7)
        listed = json.loads(importing.run("catalog", "--format", "json", "--limit", "6").stdout)
        shapes = [(row["type"], row["topology"], row["machineType"], row["hosts"]) for row in listed["shapes"]]
        done = 0
        for generation, topology, machine, hosts in shapes:
            slices = choice.choice((1, 1, 2))
            kind = choice.choice(("job", "jobset", "leaderworkerset", "raycluster") if hosts > 1 else ("job", "jobset", "deployment", "raycluster"))
            model = choice.choice(("flex-start", "spot", "on-demand", "reservation"))
            text = spec(generation, topology, machine, "jobset" if kind == "job" and hosts > 1 and slices > 1 else kind, model, slices, choice)
            if importing.compile_spec(text)[2] != 0:
                continue
            with self.subTest(spec=text):
                self.round_trip(text, [])
            done += 1
        self.assertGreater(done, 15)

    def test_what_people_have(self):
        """Whatever its form was, the spec of an import comes back as it is."""
        # What a rule refuses of the input is not in the second one, and may say how nodes are provisioned.
        contradictory = {"FS5111-restart-policy.yaml", "FS5111-label.yaml"}
        done = 0
        for file in sorted((*importing.ROOT.glob("tests/import/corpus/*.yaml"), *importing.ROOT.glob("tests/ui/import/*.yaml"))):
            spec, findings, _ = importing.import_files({file.name: file.read_text()})
            files = importing.compile_spec(spec, *law.artifacts(spec))[0] if spec else {}
            if not files or file.name in contradictory:
                continue
            with self.subTest(file=file.name):
                again, _, _ = importing.import_files(files)
                self.assertEqual(without_comments(spec), without_comments(again), findings)
                done += 1
        self.assertGreater(done, 30)

    def test_quota(self):
        """One that compile would not derive is the field, and no patch of the whole list of flavors."""
        for example in ("queued", "team-queue"):
            folder = importing.ROOT / "examples" / example
            text = (folder / "spec.yaml").read_text()
            said = text.replace("  queue: team-a\n", "  queue: team-a\n  quota: 64\n")
            self.assertNotEqual(text, said)
            for spec, quota in ((text, None), (said, 64)):
                with self.subTest(example=example, quota=quota):
                    files, findings, _ = importing.compile_spec(spec, *importing.options(folder))
                    self.assertTrue(files, findings)
                    imported = yaml.safe_load(importing.import_files(files)[0])
                    self.assertEqual(quota, imported["provisioning"].get("quota"))
                    self.assertNotIn("patches", imported)

    def test_wishes(self):
        """Fields that need each other, and that several objects say together, all come back."""
        head = "apiVersion: flexslice/v1\nname: train\ncluster: {name: c1, location: us-east5}\ntpu: {type: v6e, topology: 2x2}\n"
        work = "image: registry/image:1, script: python t.py"
        queued = "{model: on-demand, autoscale: true, queue: q, minNodes: 1, maxNodes: 6, zones: [us-east5-b]}"
        server = "{kind: deployment, image: registry/image:1, args: [--port=8000], ports: [8000]}"
        for provisioning, workload, wanted in (
                # The draft has as many fields as a mapping first has room for.
                ("{model: spot, zones: [us-east5-b]}", f"{{{work}, serviceAccount: sa, retries: 3}}", ["retries: 3"]),
                (queued, f'{{{work}, schedule: {{cron: "@daily", concurrencyPolicy: Allow}}}}', ["concurrencyPolicy: Allow", "minNodes: 1"]),
                ("{model: reservation, reservation: projects/p/reservations/r-1/reservationBlocks/b, fallback: [spot], zones: [us-east5-b]}", f"{{{work}}}",
                 ["reservation: projects/p/reservations/r-1/reservationBlocks/b"]),
                ("{model: on-demand, autoscale: true, create: false, warm: 1}", server, ["warm: 1"])):
            with self.subTest(provisioning=provisioning, workload=workload):
                spec = f"{head}provisioning: {provisioning}\nworkload: {workload}\n"
                files, findings, _ = importing.compile_spec(spec)
                self.assertTrue(files, findings)
                imported, findings, _ = importing.import_files(files)
                for field in wanted:
                    self.assertIn(f"{field}\n", imported, findings)
                if "fallback" not in provisioning:
                    self.round_trip(spec, [])

    def test_what_one_place_alone_says(self):
        """The project of a policy, the cluster of a ComputeClass, and the lifetime of a request for the Jobs of a schedule."""
        work = "image: registry/image:1, command: [python, t.py]"
        cluster = "name: my-cluster, location: us-central1"
        for said, wanted in ((f"cluster: {{{cluster}, project: acme}}\ntpu: {{type: tpu7x, topology: 2x2x2}}\nprovisioning: {{fallback: [spot], zones: [us-central1-c]}}\n"
                              f"workload: {{{work}}}\n", "project: acme"),
                             (f"cluster: {{{cluster}, mode: autopilot}}\ntpu: {{type: v6e, topology: 4x4}}\nprovisioning: {{model: on-demand, fallback: [spot]}}\n"
                              f"workload: {{{work}}}\n", "mode: autopilot"),
                             (f"cluster: {{{cluster}}}\ntpu: {{type: v6e, topology: 2x2, slices: 2}}\n"
                              "provisioning: {model: flex-start-queued, queue: q, maxRunDuration: 3d, zones: [us-central1-b]}\n"
                              f"workload: {{{work}, schedule: 0 3 * * *}}\n", "maxRunDuration: 3d")):
            with self.subTest(wanted=wanted):
                spec = "apiVersion: flexslice/v1\nname: train\n" + said
                files, findings, _ = importing.compile_spec(spec)
                imported, findings, _ = importing.import_files(files)
                self.assertEqual("", findings)
                self.assertIn(f"  {wanted}\n", imported)
                self.assertNotIn("patches:", imported)
                self.round_trip(spec, [])

    def test_failure_policies_of_indexes(self):
        """One needs a limit that no field says, so both are a patch where nothing derives them."""
        spec = """\
apiVersion: flexslice/v1
name: train
cluster: {name: my-cluster, location: us-east5}
tpu: {type: v6e, topology: 2x2, slices: 2}
provisioning: {maxRunDuration: 2h, zones: [us-east5-b]}
workload: {image: registry/image:1, command: [python, t.py]}
"""
        files, findings, _ = importing.compile_spec(spec, sources=("manifests.yaml",))
        self.assertIn("FailIndex", "".join(files.values()), findings)
        imported, findings, _ = importing.import_files(files)
        self.assertEqual("", findings)
        again, findings, _ = importing.compile_spec(imported, *fill(imported), sources=("manifests.yaml",))
        self.assertEqual("", difference(files, again), f"{findings}\n{imported}")

    def test_addons_of_terraform(self):
        """Its blocks switch off none that they do not name, as the list of gcloud does."""
        spec = """\
apiVersion: flexslice/v1
name: train
cluster: {name: c1, location: us-east5, project: acme, create: true}
tpu: {type: v6e, topology: 4x4}
provisioning: {model: spot, owner: terraform, zones: [us-east5-b]}
workload:
  kind: jobset
  image: registry/image:1
  command: [python, t.py]
  serviceAccount: runner
  checkpoints: {bucket: checkpoints-1, memory: 200Gi}
  volumes: [{name: b, mountPath: /b, gcs: {bucket: bucket-1}}]
"""
        files, findings, _ = importing.compile_spec(spec, "--emit", "terraform,manifests", sources=("manifests.yaml", "train.tf.json"))
        self.assertTrue(files, findings)
        self.assertEqual("", importing.import_files(files)[1])

    def test_policies_of_terraform(self):
        """They have no cluster in their names, and the import says no other."""
        spec = """\
apiVersion: flexslice/v1
name: train
cluster: {name: c1, location: us-central1}
tpu: {type: tpu7x, topology: 2x2x2}
provisioning: {model: on-demand, owner: terraform, zones: [us-central1-c]}
workload: {image: registry/image:1, script: python t.py}
"""
        files, findings, _ = importing.compile_spec(spec, "--emit", "terraform,manifests", sources=("manifests.yaml", "train.tf.json"))
        self.assertTrue(files, findings)
        imported, findings, _ = importing.import_files(files)
        self.assertIn("owner: terraform\n", imported)
        self.assertEqual("", findings)

    def test_pools_of_config_connector(self):
        """Its objects say what the resources of Terraform do."""
        for create in ("false", "true"):
            spec = f"""\
apiVersion: flexslice/v1
name: train
cluster: {{name: c1, location: us-east5, project: acme, create: {create}}}
tpu: {{type: v6e, topology: 4x4, slices: 2}}
provisioning: {{model: spot, autoscale: true, owner: config-connector, zones: [us-east5-b], diskSize: 200Gi}}
workload: {{kind: jobset, image: registry/image:1, command: [python, t.py]}}
"""
            emit = ("--emit", "config-connector,manifests")
            sources = ("manifests.yaml", "config-connector.yaml")
            files, findings, _ = importing.compile_spec(spec, *emit, sources=sources)
            self.assertEqual(2, len(files), findings)
            imported, findings, _ = importing.import_files(files)
            self.assertIn("owner: config-connector\n", imported)
            self.assertEqual("", findings)
            again, findings, _ = importing.compile_spec(imported, *emit, sources=sources)
            self.assertEqual("", difference(files, again), f"{findings}\n{imported}")

    def test_flags_of_pools_of_config_connector(self):
        """Each row of pool_flags.yaml is read where Config Connector has it, by the example of its field."""
        rows = yaml.safe_load((importing.ROOT / "src/catalog/data/pool_flags.yaml").read_text())["poolFlags"]
        fields = (importing.ROOT / "src/spec/fields.yaml").read_text()
        for row in rows:
            if "configConnector" not in row:
                continue
            example = re.search(rf"\n    {row['field']}\?:\n(?:      .*\n)*?      example: (.*)\n", fields)[1].strip("'")
            spec = f"""\
apiVersion: flexslice/v1
name: train
cluster: {{name: c1, location: us-east5, project: acme}}
tpu: {{type: v6e, topology: 4x4}}
provisioning: {{model: spot, owner: config-connector, zones: [us-east5-b], {row['field']}: {example}}}
workload: {{kind: jobset, image: registry/image:1, command: [python, t.py]}}
"""
            sources = ("manifests.yaml", "config-connector.yaml")
            files, findings, _ = importing.compile_spec(spec, "--emit", "config-connector,manifests", sources=sources)
            with self.subTest(field=row["field"]):
                self.assertEqual(2, len(files), findings)
                imported, findings, _ = importing.import_files(files)
                self.assertEqual("", findings)
                self.assertIn(f"\n  {row['field']}: {example}\n", imported)

    def test_flag_that_config_connector_calls_otherwise(self):
        """Its path is that of the row, which need not be Terraform's in camel case."""
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as overlay:
            overlay.write("poolFlags: [{field: nodeServiceAccount, configConnector: nodeConfig.bootDiskKMSCryptoKeyRef.external}]\n")
            overlay.flush()
            spec = """\
apiVersion: flexslice/v1
name: train
cluster: {name: c1, location: us-east5, project: acme}
tpu: {type: v6e, topology: 4x4}
provisioning: {model: spot, owner: config-connector, zones: [us-east5-b], nodeServiceAccount: nodes@acme.iam.gserviceaccount.com}
workload: {kind: jobset, image: registry/image:1, command: [python, t.py]}
"""
            sources = ("manifests.yaml", "config-connector.yaml")
            files, findings, _ = importing.compile_spec(spec, "--catalog", overlay.name, "--emit", "config-connector,manifests", sources=sources)
            self.assertEqual(2, len(files), findings)
            self.assertIn("bootDiskKMSCryptoKeyRef", "".join(files.values()))
            imported, findings, _ = importing.import_files(files, "--catalog", overlay.name)
            self.assertEqual("", findings)
            self.assertIn("\n  nodeServiceAccount: nodes@acme.iam.gserviceaccount.com\n", imported)

    def test_owner_of_a_cluster_alone(self):
        """GKE makes the nodes of a class, so the pools do not say who owns what is described."""
        for owner, emitted, file in (("terraform", "terraform", "train.tf.json"), ("config-connector", "config-connector", "config-connector.yaml")):
            spec = f"""\
apiVersion: flexslice/v1
name: train
cluster: {{name: c1, location: us-east5, project: acme, create: true}}
tpu: {{type: v6e, topology: 2x2}}
provisioning: {{model: on-demand, fallback: [spot], owner: {owner}, zones: [us-east5-b]}}
workload: {{image: registry/image:1, command: [python, t.py]}}
"""
            files, findings, _ = importing.compile_spec(spec, "--emit", f"{emitted},manifests", sources=("manifests.yaml", file))
            self.assertEqual(2, len(files), findings)
            imported, findings, _ = importing.import_files(files)
            with self.subTest(owner=owner):
                self.assertIn(f"  owner: {owner}\n", imported)
                self.assertEqual("", findings)

    def test_restarts_of_a_live_slice(self):
        """The server writes no number of pods where it is one."""
        spec = """\
apiVersion: flexslice/v1
name: train
cluster: {name: my-cluster, location: us-east5}
tpu: {type: v6e, topology: 2x2, slices: 2}
provisioning: {model: on-demand, zones: [us-east5-b]}
workload: {kind: pathways, image: registry/image:1, command: [python, t.py], pathways: {gcsLocation: gs://bucket-1/p, maxSliceRestarts: 2}}
"""
        files, findings, _ = importing.compile_spec(spec, sources=("manifests.yaml",))
        live = {name: yaml.safe_dump_all([live_objects.live(each) for each in yaml.safe_load_all(text)]) for name, text in files.items()}
        imported, findings, _ = importing.import_files(live)
        self.assertIn("    maxSliceRestarts: 2\n", imported, findings)
        self.assertNotIn("patches:", imported)

    def test_policy_of_a_compute_class(self):
        """Its name has that of a cluster that the manifests alone do not say."""
        spec = """\
apiVersion: flexslice/v1
name: train
cluster: {name: c1, location: us-central1}
tpu: {type: tpu7x, topology: 2x2x2}
provisioning: {model: flex-start, fallback: [spot], zones: [us-central1-c]}
workload: {image: registry/image:1, command: [python, t.py]}
"""
        files, findings, _ = importing.compile_spec(spec, sources=("manifests.yaml",))
        self.assertIn("policyName: train-c1-policy", files["train-manifests.yaml"] if "train-manifests.yaml" in files else "".join(files.values()), findings)
        imported, findings, _ = importing.import_files(files)
        self.assertNotIn("patches:", imported, findings)
        self.assertEqual("", findings)

    def round_trip(self, spec, options):
        files, findings, _ = importing.compile_spec(spec, *options)
        self.assertTrue(files, findings)
        imported, findings, _ = importing.import_files(files)
        self.assertTrue(imported, findings)
        again, findings, _ = importing.compile_spec(imported, *options, *fill(imported))
        self.assertEqual("", difference(files, again), f"{findings}\n{imported}")
        twice, findings, _ = importing.import_files(again)
        self.assertEqual(imported, twice, findings)


if __name__ == "__main__":
    unittest.main()
