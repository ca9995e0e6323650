"""Manifests that people wrote: each field comes back, or import says that it does not. law.py is the checker."""
import pathlib
import unittest

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
