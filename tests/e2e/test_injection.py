"""A hostile string in any field reaches the pod or the argument list unchanged, and nothing else; or it is refused.

A spec is compiled twice: with harmless words, and with hostile strings in their place.  What two readers make of the
manifests, and what the recorded programs get from the scripts, must be the same but for the exchanged words.
"""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import artifacts
from hostile import STRINGS
from sandbox import Sandbox, sample

sys.path.insert(0, str(artifacts.ROOT / "tests" / "manifests"))
import yaml_readers

WORDS = [f"word-{number}" for number in range(len(STRINGS))]
READERS = {"PyYAML": yaml_readers.load_pyyaml, "kubectl": yaml_readers.load_kubectl}


def as_yaml(spec):
    """JSON that is YAML too: what is not printable is escaped, and nothing as a surrogate pair."""
    text = json.dumps(spec, ensure_ascii=False)
    return re.sub("[\x7f-\x9f\ufeff\u2028\u2029\ufffe\uffff]", lambda found: f"\\u{ord(found[0]):04x}", text)


def exchanged(value, words):
    """The value with every string replaced that `words` has; in longer strings nothing changes."""
    if isinstance(value, dict):
        changed = {key: exchanged(item, words) for key, item in value.items()}
        if set(changed) == {"name", "value"} and changed["value"] == "":
            del changed["value"]  # the API server drops what is empty, and so does the program
        return changed
    if isinstance(value, list):
        return [exchanged(item, words) for item in value]
    return words.get(value, value) if isinstance(value, str) else value


def spec_of(name, workload, **more):
    """A spec that compiles; `workload` and `more` are added."""
    return {"apiVersion": "flexslice/v1", "name": name, "cluster": {"name": "c1", "location": "us-east5"},
            "tpu": {"type": "v6e", "topology": "4x4"}, "provisioning": {"zones": ["us-east5-b"]},
            "workload": {"image": "busybox", **workload}, **more}


def free_text(words):
    """Documents that have each word in each field that takes any text."""
    numbered = {f"{number:03}": word for number, word in enumerate(words)}
    containers = [{"name": "c", "image": "busybox", "command": words, "args": words,
                   "env": [{"name": f"V{key}", "value": word} for key, word in numbered.items()]}]
    yield spec_of("all", {
        "command": words, "args": words, "env": {f"V{key}": word for key, word in numbered.items()},
        "initContainers": containers, "sidecars": [containers[0] | {"name": "s"}]},
        annotations={f"a{key}": word for key, word in numbered.items()},
        patches=[{"target": {"kind": "Service"}, "merge": {"metadata": {"annotations": {
            f"p{key}": word for key, word in numbered.items()}}}}])
    for number, word in enumerate(words):
        if word:  # an empty script is refused
            yield spec_of(f"s{number}", {"script": word, "env": {"V0": "kept"}, "volumes": [
                {"name": "v", "mountPath": "/v", "gcs": {"bucket": "b-1", "mountOptions": word}}]})


def as_run(text, env):
    """A word of `command` as the kubelet passes it on: `$(NAME)` is exchanged where the variable is known, `$$` is `$`."""
    return re.sub(r"\$(?:\$|\(([^)]*)\))", lambda found: "$" if found[0] == "$$" else env.get(found[1], found[0]), text)


def with_commands_run(documents):
    """The documents of scripts, with what the kubelet makes of their command."""
    for document in documents:
        if document["kind"] == "Job":
            [container] = document["spec"]["template"]["spec"]["containers"]
            env = {each["name"]: each["value"] for each in container["env"]}
            container["command"] = [as_run(word, env) for word in container["command"]]
    return documents


class Case(unittest.TestCase):
    """Base: a place for files."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.directory = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))

    @classmethod
    def compile(cls, name, specs):
        """Compiles all specs as one stream; returns name -> folder of those that were not refused."""
        path, out = cls.directory / f"{name}.yaml", cls.directory / name
        there = {path, *cls.directory.iterdir()}
        path.write_text("".join(f"---\n{as_yaml(spec)}\n" for spec in specs), encoding="utf-8")
        run = subprocess.run([artifacts.FLEXSLICE, "compile", "--format=short", "--out-dir", out, path],
                             capture_output=True, check=False)
        assert run.returncode in (0, 1), run.stderr[-2000:]
        assert run.stdout == b"" and set(cls.directory.iterdir()) - there <= {out}
        return {folder.name: folder for folder in out.iterdir()} if out.exists() else {}

    def record(self, folder):
        """The calls of all three scripts; cleanup finds everything there, the others find nothing."""
        calls = []
        plan = json.loads((folder / "plan.json").read_text("utf-8"))
        for script, there in (("provision", []), ("verify", []), ("cleanup", [plan["cluster"], *plan["pools"]])):
            with Sandbox() as sandbox:
                for thing in there:
                    sandbox.answer("gcloud", f"*list*name~^{thing['name']}$*", stdout=f"{thing['name']}\tRUNNING\t{plan['name']}\n")
                sandbox.run_script(folder / f"{script}.sh")
                calls += [[call.name, *call.argv] for call in sandbox.calls()]
                self.assertEqual(list((sandbox.root / "home").iterdir()), [])
        return calls


class FreeText(Case):
    """Fields that take any text."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.harmless = cls.compile("harmless", free_text(WORDS))
        cls.hostile = cls.compile("hostile", free_text(STRINGS))
        cls.words = dict(zip(WORDS, STRINGS))

    def test_nothing_is_refused(self):
        self.assertEqual(len(self.harmless), len(STRINGS) + 1)
        self.assertEqual(sorted(self.hostile), sorted(set(self.harmless) - {f"s{STRINGS.index('')}"}))

    def read(self, folders, load):
        """What a reader makes of the manifests of all folders in one stream."""
        return load("".join((folder / "manifests.yaml").read_bytes().decode() for folder in folders))

    def test_manifests(self):
        wanted = exchanged(self.read([self.harmless["all"]], yaml_readers.load_pyyaml), self.words)
        for reader, load in READERS.items():
            with self.subTest(reader=reader):
                self.assertEqual(self.read([self.hostile["all"]], load), wanted)

    def test_manifests_of_scripts(self):
        names = [name for name in self.hostile if name != "all"]
        wanted = exchanged(self.read([self.harmless[name] for name in names], yaml_readers.load_pyyaml), self.words)
        for reader, load in READERS.items():
            with self.subTest(reader=reader):
                read = with_commands_run(self.read([self.hostile[name] for name in names], load))
                for document, meant in zip(read, wanted, strict=True):
                    self.assertEqual(document, meant)

    def test_scripts(self):
        for name in ["all", *sample(list(self.hostile)[::10], 5)]:
            with self.subTest(name=name):
                calls = self.record(self.hostile[name])
                self.assertEqual(calls, self.record(self.harmless[name]))
                self.assertGreater(len(calls), 10)


NAME, DNS_LABEL = "[a-z]([-a-z0-9]{,38}[a-z0-9])?", "[a-z0-9]([-a-z0-9]{,61}[a-z0-9])?"
LABEL_KEY = "[A-Za-z0-9]([-A-Za-z0-9_.]{,61}[A-Za-z0-9])?"
LABEL_VALUE = f"({LABEL_KEY})?"
# Field -> the form of what it takes, for fields that scripts hear of.  `*` is a key of the user's.
NAMES = {"name": NAME, "namespace": DNS_LABEL, "labels.team": LABEL_VALUE, "labels.*": LABEL_KEY,
         "workload.nodeSelector.team": LABEL_VALUE, "workload.nodeSelector.*": LABEL_KEY, "cluster.name": NAME,
         "cluster.project": NAME, "provisioning.nodePool": NAME,
         "provisioning.reservation": NAME}
# Fields that take words of a kind that no hostile string is, and such a word.
KNOWN_WORDS = {"cluster.location": "us-east5-b", "cluster.version": "1.34.5", "cluster.mode": "standard",
               "provisioning.zones.0": "us-east5-a", "provisioning.maxRunDuration": "1h", "provisioning.model": "spot",
               "tpu.type": "v6e", "tpu.topology": "2x2", "tpu.machineType": "ct6e-standard-4t", "workload.kind": "job"}
# What Google Cloud takes as labels of its own; other labels are only on Kubernetes objects.
RESOURCE_LABEL = {"labels.*": "[a-z][-_a-z0-9]*", "labels.team": "[-_a-z0-9]*"}


def with_value(spec, field, value):
    """The spec with the value in the field."""
    *folders, last = field.split(".")
    here = spec
    for key in folders:
        here = here.setdefault(int(key) if key.isdigit() else key, {})
    if last == "reservation":
        here["model"] = "reservation"
    if last == "*":
        here[value] = "x"
    else:
        here[int(last) if last.isdigit() else last] = value
    return spec


class CheckedText(Case):
    """Fields with a form: what has it reaches the scripts as it is, all else is refused."""

    def compiled(self, field, values):
        """Value -> folder, of the values that are taken."""
        specs = [with_value(spec_of(f"n{number}", {}), field, value) for number, value in enumerate(values)]
        folders = self.compile(f"{field}-{len(values)}".replace("*", "key"), specs)
        return {value: folders[spec["name"]] for value, spec in zip(values, specs) if spec["name"] in folders}

    def test_names(self):
        for field, form in sample(NAMES.items(), 6):
            with self.subTest(field):
                [harmless] = self.compiled(field, ["harmless"]).values()
                calls = self.record(harmless)
                self.assertIn("harmless", str(calls))
                taken = self.compiled(field, STRINGS)
                self.assertEqual(sorted(taken), sorted({word for word in STRINGS if re.fullmatch(form, word)}))
                for word, folder in taken.items():
                    self.assertEqual(self.record(folder), self.expected(calls, field, word, folder.name))

    @staticmethod
    def expected(calls, field, word, name):
        """The calls of the harmless spec with the other word in place."""
        made = [[each.replace("n0", name).replace("harmless", word) for each in call] for call in calls]
        if field in RESOURCE_LABEL and not re.fullmatch(RESOURCE_LABEL[field], word):
            made = [[re.sub("^--labels=.*?,", "--labels=", each) for each in call] for call in made]
        return made

    def test_known_words(self):
        for field, word in KNOWN_WORDS.items():
            with self.subTest(field):
                self.assertEqual(list(self.compiled(field, [word])), [word])
                self.assertEqual(self.compiled(field, STRINGS), {})


if __name__ == "__main__":
    unittest.main()
