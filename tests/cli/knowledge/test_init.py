"""flexslice init: whatever it writes compiles; what cannot be had it refuses."""
import os
import pathlib
import pty
import select
import shutil
import subprocess
import tempfile
import unittest

import yaml

import knowledge
from knowledge import chips, generations, models, run, supported


def init(*arguments):
    status, out, err = run("init", *arguments)
    if status != 0:
        raise AssertionError(f"{arguments}: {err}")
    return out


class Compiles(unittest.TestCase):
    def assert_compiles(self, text, errors_only=False):
        status, out, err = run("compile", "--format", "short", "-", stdin=text)
        self.assertEqual(0, status, f"{err}\n{text}")
        self.assertTrue(out.startswith("# "))
        if not errors_only:
            self.assertEqual("", err)

    def test_every_generation_and_model(self):
        some = 0
        for name in generations():
            for model_name, model in models().items():
                for mode in ["standard", "autopilot"]:
                    with self.subTest(type=name, model=model_name, mode=mode):
                        status, text, err = run("init", "--type", name, "--model", model_name, "--mode", mode)
                        possible = supported(model, name) and mode in model["modes"]
                        self.assertEqual(0 if possible else 2, status, err)
                        if not possible:
                            self.assertEqual("", text)
                            self.assertIn("is not available", err)
                            continue
                        some += 1
                        sure = next(row for row in model["supports"] if name in row["generations"]).get("evidence", {}).get("confidence") != "low"
                        self.assert_compiles(text, errors_only=not sure)
                        spec = yaml.safe_load(text)
                        self.assertEqual((name, model_name), (spec["tpu"]["type"], spec["provisioning"]["model"]))
        self.assertGreater(some, 20)

    def test_every_machine_type_and_shape(self):
        for name, generation in generations().items():
            for machine in generation["machineTypes"]:
                if machine.get("status", "public") != "public":
                    continue
                for shape in machine["shapes"]:
                    topology = shape if isinstance(shape, str) else shape["topology"]
                    with self.subTest(machine=machine["name"], topology=topology):
                        text = init("--machine-type", machine["name"], "--topology", topology)
                        self.assert_compiles(text, errors_only=True)
                        hosts = chips(topology) // int(machine["chips"])
                        self.assertIn(f"# {chips(topology)} chip{'s' if chips(topology) > 1 else ''} on {hosts} host", text)
                        self.assertEqual(name, yaml.safe_load(text)["tpu"]["type"])

    def test_every_commented_field(self):
        """Each line that is commented out is a field that can be had by taking the mark away."""
        tried = set()
        for arguments in [[], ["--type", "v5p", "--topology", "2x2x2"], ["--mode", "autopilot"]]:
            lines = init(*arguments).splitlines()
            for number, line in enumerate(lines):
                field = line.strip().removeprefix("# ")
                if not line.startswith("  # ") or ": " not in field or not field.split(":")[0].isalpha() or field.startswith(("Other shapes", "v")):
                    continue
                with self.subTest(arguments=arguments, field=field):
                    tried.add(field.split(":")[0])
                    self.assert_compiles("\n".join([*lines[:number], "  " + field, *lines[number + 1:]]) + "\n", errors_only=True)
        self.assertEqual({"project", "create", "slices", "maxRunDuration", "env"}, tried)

    def test_volumes(self):
        self.assert_compiles(init().replace("  # volumes: ", "  volumes: "))

    def test_defaults(self):
        """A zone that is named for the model, and one host."""
        spec = yaml.safe_load(init())
        generation = generations()[spec["tpu"]["type"]]
        zone = next(each for each in generation["zones"] if each["name"] == spec["provisioning"]["zones"][0])
        self.assertEqual("true", zone["flexStart"])
        self.assertEqual(zone["name"].rpartition("-")[0], spec["cluster"]["location"])
        self.assertEqual("flex-start", spec["provisioning"]["model"])
        self.assertEqual("v4", yaml.safe_load(init("--topology", "2x2x1", "--zone", "us-central2-b", "--model", "spot"))["tpu"]["type"])

    def test_given(self):
        spec = yaml.safe_load(init("train", "--type", "tpu-v6e-slice", "--topology", "4x4", "--model", "spot", "--cluster", "research", "--location", "us-east1",
                                   "--project", "acme", "--image", "busybox"))
        self.assertEqual(("train", {"name": "research", "location": "us-east1", "project": "acme"}, {"type": "v6e", "topology": "4x4"},
                          {"model": "spot", "zones": ["us-east1-d"]}, "busybox"),
                         (spec["name"], spec["cluster"], spec["tpu"], spec["provisioning"], spec["workload"]["image"]))

    def test_says_that_a_zone_is_not_known_for_the_model(self):
        status, out, err = run("init", "--type", "v6e", "--zone", "us-central1-b", "--model", "flex-start")
        self.assertEqual((0, "us-central1-b"), (status, yaml.safe_load(out)["provisioning"]["zones"][0]))
        self.assertIn("warning[FS4241]: whether v6e is available in us-central1-b with flex-start is not known", err)
        self.assertEqual("", run("init", "--type", "v6e", "--zone", "us-east5-b", "--model", "flex-start")[2])

    def test_yamllint(self):
        lint = knowledge.tool("yamllint")
        for arguments in [[], ["--mode", "autopilot"], ["--type", "tpu7x", "--topology", "4x4x4", "--model", "flex-start-queued"]]:
            done = subprocess.run([lint, "-s", "-d", "{extends: default, rules: {document-start: disable}}", "-"], input=init(*arguments), text=True,
                                  capture_output=True, check=False)
            self.assertEqual((0, ""), (done.returncode, done.stdout))


class Refuses(unittest.TestCase):
    def test_what_cannot_be(self):
        for arguments, message in [
            (["--type", "v4", "--model", "flex-start"], "v4 is not available with flex-start; see `flexslice explain flex-start`"),
            (["--model", "flex-start-queued", "--mode", "autopilot"], "flex-start with queued provisioning is not available on Autopilot clusters"),
            (["--type", "v6e", "--machine-type", "ct5p-hightpu-4t"], "ct5p-hightpu-4t is not a v6e machine type"),
            (["--type", "v6e", "--topology", "4x6"], "topology 4x6 is not available for v6e; the nearest are 4x4 and 4x8; see `flexslice catalog --type v6e`"),
            (["--machine-type", "ct6e-standard-8t", "--topology", "4x4"], "ct6e-standard-8t does not support topology 4x4; see `flexslice catalog --type v6e`"),
            (["--topology", "5x5"], "no generation has 5x5 with flex-start"),
            (["--type", "v6e", "--location", "us-west1"], "no zone of us-west1 is known for v6e with flex-start; choose one with --zone"),
            (["--zone", "us-east5-b", "--location", "us-east1"], "us-east5-b is not in us-east1"),
            (["--type", "v6x"], "unknown TPU generation `v6x`; did you mean `v6e`?"),
            (["--mode", "auto"], "invalid value `auto` for --mode: expected one of standard, autopilot"),
            (["--kind", "serve"], "unknown workload kind `serve`; expected one of job, jobset, pathways, deployment, leaderworkerset, raycluster, rayjob, rayservice; "
                                  "what serves is a `leaderworkerset` on slices of several hosts, and a `deployment` on single hosts"),
            (["--kind", "jobsets"], "unknown workload kind `jobsets`; expected one of job, jobset, pathways, deployment, leaderworkerset, raycluster, rayjob, rayservice; "
                                    "did you mean `jobset`?"),
            (["v5e"], "`v5e` is a TPU generation: write `--type v5e`"),
            (["--topology", "big"], "invalid topology `big`: expected two or three numbers joined by `x`, such as 4x4 or 2x2x1"),
            (["one", "two"], "only one name; unexpected `two`"),
        ]:
            with self.subTest(arguments=arguments):
                self.assertEqual((2, "", f"flexslice: {message}\n"), run("init", *arguments))

    def test_names_of_the_wrong_form(self):
        for arguments, code in [(["My_Job"], "FS2006"), (["a" * 60], "FS4005"), (["--project", "x\n  create: true"], "FS2006"), (["--cluster", "a, b"], "FS2006"),
                                (["--image", "[busybox]"], "FS2006"), (["--zone", "here"], "FS2006")]:
            with self.subTest(arguments=arguments):
                status, out, err = run("init", *arguments)
                self.assertEqual((2, ""), (status, out))
                self.assertIn(code, err)


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def test_a_file(self):
        status, out, err = run("init", "train", "-o", "train.yaml", cwd=self.folder)
        self.assertEqual((0, "", "wrote train.yaml; next: flexslice check train.yaml\n"), (status, out, err))
        self.assertEqual(init("train"), (self.folder / "train.yaml").read_text())
        self.assertEqual(0, run("check", "train.yaml", cwd=self.folder)[0])

    def test_never_overwrites(self):
        (self.folder / "train.yaml").write_text("mine\n")
        (self.folder / "link.yaml").symlink_to("nowhere")
        for name in ["train.yaml", "link.yaml", "."]:
            with self.subTest(name=name):
                status, out, err = run("init", "-o", name, cwd=self.folder)
                self.assertEqual((3, "", f"flexslice: {name}: already exists, unchanged\n"), (status, out, err))
        self.assertEqual("mine\n", (self.folder / "train.yaml").read_text())
        self.assertEqual(["link.yaml", "train.yaml"], sorted(os.listdir(self.folder)))

    def test_no_such_folder(self):
        status, out, err = run("init", "-o", "no/train.yaml", cwd=self.folder)
        self.assertEqual((3, ""), (status, out))
        self.assertIn("no/train.yaml", err)

    def test_modeline(self):
        self.assertTrue(init().startswith("# yaml-language-server: $schema=flexslice.schema.json\n"))
        self.assertEqual(len(init().splitlines()), len(init("--schema", "a\nb").splitlines()))
        self.assertTrue(init("--schema", "../s.json").startswith("# yaml-language-server: $schema=../s.json\n"))


class Conversation(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def talk(self, answers, arguments=()):
        """Exit status and what the terminal showed."""
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(self.folder)
            os.execv(knowledge.FLEXSLICE, [knowledge.FLEXSLICE, "init", *arguments])
        shown = b""
        for answer in answers:
            shown += self.read_until(terminal, b"]: ")
            os.write(terminal, answer.encode())
        shown += self.read_until(terminal, None)
        os.close(terminal)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), shown.decode().replace("\r\n", "\n")

    def read_until(self, terminal, end):
        text = b""
        while end is None or not text.endswith(end):
            if not select.select([terminal], [], [], 20)[0]:
                raise AssertionError(f"nothing more after {text!r}")
            try:
                part = os.read(terminal, 4096)
            except OSError:  # the other side has ended
                part = b""
            if not part:
                if end is None:
                    return text
                raise AssertionError(f"ended after {text!r}")
            text += part
        return text

    def test_answers(self):
        status, shown = self.talk(["train\n", "v6x\n", "v5e\n", "four\n", "4x4\n", "\n", "\n", "\n"])
        self.assertEqual(0, status, shown)
        self.assertIn("flexslice: unknown TPU generation `v6x`; did you mean `v6e`?\n", shown)
        self.assertIn(f"TPU type: {' '.join(generations())} [v6e]: ", shown)
        self.assertIn("wrote train.yaml; next: flexslice check train.yaml\n", shown)
        written = (pathlib.Path(self.folder) / "train.yaml").read_text()
        self.assertEqual(init("train", "--type", "v5e", "--topology", "4x4"), written)

    def test_end_of_input(self):
        status, shown = self.talk(["train\n", "\x04"])
        self.assertEqual(2, status)
        self.assertIn("flexslice: nothing was written\n", shown)
        self.assertEqual([], os.listdir(self.folder))

    def test_asks_nothing_when_something_is_given(self):
        status, shown = self.talk([], ["train"])
        self.assertEqual((0, init("train")), (status, shown))

    def test_asks_nothing_without_a_terminal(self):
        self.assertTrue(init().startswith("# yaml-language-server"))


if __name__ == "__main__":
    unittest.main()
