"""Manifests that people wrote: each field comes back, or import says that it does not. law.py is the checker."""
import pathlib
import re
import unittest

import yaml

import importing
import law

CORPUS = pathlib.Path(__file__).resolve().parent / "corpus"


class Law(unittest.TestCase):
    maxDiff = None

    def test_nothing_is_lost_silently(self):
        # What controllers add to a dump is dropped, as test_cli shows.
        files = sorted(file for file in CORPUS.glob("*.yaml") if file.name != "dump.yaml")
        self.assertGreater(len(files), 4)
        for file in files:
            with self.subTest(file=file.name):
                text = file.read_text()
                spec, findings, _ = importing.import_files({file.name: text}, "--format", "short")
                filled, whole, said = law.fill(spec, text, findings)
                broken, errors, _ = law.silent_losses(whole, filled, said)
                self.assertEqual(("", []), (errors, broken), f"{findings}\n{spec}")

    def test_a_shape_that_is_filled_in_later(self):
        """What the rest of the spec needs is known before: with the shape the spec compiles to the same."""
        shape = re.compile(r"(gke-tpu-topology: *)\"?(\w+)\"?")
        files = {file.name: file for file in sorted(CORPUS.glob("*.yaml"))}
        files |= {file.parent.name: file for file in sorted(importing.ROOT.glob("tests/golden/examples/*/manifests.yaml"))}
        tried = 0
        for name, file in files.items():
            text = file.read_text()
            shapes = {found[2] for found in shape.finditer(text)}
            if len(shapes) != 1:
                continue
            with self.subTest(file=name):
                topology, = shapes
                plain, _, _ = importing.import_files({"m.yaml": text})
                # A machine type that the shape decides is said where the shape is not known.
                # Completions may be hosts or slices, as import says.
                if "machineType" in plain or name == "batch-shards":
                    continue
                spec, findings, _ = importing.import_files({"m.yaml": shape.sub(r"\1$TOPOLOGY", text)})
                self.assertNotIn("FS5116", findings)
                self.assertIn("FS2011: fill in the placeholder `$TOPOLOGY`", findings)
                manifests, filled = (importing.run("compile", "--emit=manifests", "--no-comments", *given, "-", stdin=each.encode())
                                     for each, given in ((plain, []), (spec, ["--set", f"tpu.topology={topology}"])))
                self.assertEqual((list(yaml.safe_load_all(manifests.stdout)), manifests.returncode),
                                 (list(yaml.safe_load_all(filled.stdout)), filled.returncode), filled.stderr)
                tried += manifests.returncode == 0
        self.assertGreater(tried, 15)

    def test_the_checker_sees_a_silent_loss(self):
        text = (CORPUS / "deployment.yaml").read_text()
        spec, findings, _ = importing.import_files({"deployment.yaml": text}, "--format", "short")
        for field, other in (("--port=8000", "--port=8001"), ("/health", "/healthz"), ("200Gi", "201Gi")):
            changed = "\n".join(line.replace(field, other) for line in text.splitlines())
            broken, errors, _ = law.silent_losses(changed, spec, findings)
            self.assertTrue(broken or errors, field)

    def test_additions_are_printed(self):
        _, findings, _ = importing.import_files({"job.yaml": (CORPUS / "job.yaml").read_text()}, "--format", "short")
        self.assertRegex(findings, r"FS5108.*publishNotReadyAddresses: true")


if __name__ == "__main__":
    unittest.main()
