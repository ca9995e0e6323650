"""The engine of the page prints what the program prints, for every example; and answers whatever it is given."""
import base64
import gzip
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import page

sys.path.insert(0, str(page.ROOT / "tests/ui"))
import uicases  # noqa: E402

MOST_BYTES = 2_000_000  # of all files of the page, compressed
MOST_SECONDS = 5        # of CPU for hostile input, with those of the compiler of WebAssembly; the page itself goes on after ten seconds


def ask(*questions):
    """The answers to pairs of a task and a text, as (answer, milliseconds)."""
    encoded = [[task, base64.b64encode(text if isinstance(text, bytes) else text.encode()).decode()] for task, text in questions]
    done = subprocess.run(["node", str(page.ROOT / "tests/web/ask.js"), str(page.PAGE / "engine.js")], input=json.dumps(encoded), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stderr[-2000:])
    return json.loads(done.stdout)


@unittest.skipIf(page.MISSING, page.MISSING)
@unittest.skipUnless(shutil.which("node"), "node is missing")
class Engine(unittest.TestCase):
    maxDiff = 2000

    def test_every_artifact_of_every_example(self):
        answers = ask(*(("", path.read_text()) for path in page.EXAMPLES))
        self.assertGreater(len(answers), 15)
        for path, (answer, _) in zip(page.EXAMPLES, answers):
            with self.subTest(path.parent.name), tempfile.TemporaryDirectory() as place:
                made = page.run("compile", "--out-dir", place, path)
                self.assertEqual(0, made.returncode, made.stderr)
                files = {str(file.relative_to(place)): file.read_text() for file in pathlib.Path(place).rglob("*") if file.is_file()}
                shown = {f"{each['name']}/{file['name']}": file["text"] for each in answer["workloads"] for file in each["files"] if file["emit"] != "picture"}
                self.assertEqual(files, shown)
                self.assertEqual(page.run("explain", path).stdout, "\n".join(each["explanation"] for each in answer["workloads"] if each["explanation"]))
                if "\nmatrix:" in path.read_text():
                    continue  # a picture for each point
                pictures = "".join(file["text"] for each in answer["workloads"] for file in each["files"] if file["emit"] == "picture")
                self.assertEqual(page.run("compile", "--emit", "picture", path).stdout, pictures)

    def test_other_artifacts(self):
        for emit in ("terraform", "config-connector"):
            answers = ask(*((emit, path.read_text()) for path in page.EXAMPLES))
            for path, (answer, _) in zip(page.EXAMPLES, answers):
                with self.subTest(f"{emit} {path.parent.name}"):
                    shown = "".join(file["text"] for each in answer["workloads"] for file in each["files"])
                    self.assertEqual(page.run("compile", "--emit", emit, path).stdout, shown)

    def test_findings(self):
        """As check and lint print them, as text and as data."""
        cases = sorted((page.ROOT / "tests/ui/cases").glob("FS300*.yaml")) + sorted((page.ROOT / "tests/ui/cases").glob("FS1*.yaml"))
        texts = {path: uicases.whole(path.read_bytes()).decode() for path in cases}
        texts = {path: text for path, text in texts.items() if "apiVersion: flexslice/v1" in text}
        self.assertGreater(len(texts), 10)
        answers = ask(*(("", text) for text in texts.values()))
        for (path, text), (answer, _) in zip(texts.items(), answers):
            with self.subTest(path.name):
                name = lambda shown: shown.replace("<stdin>", "spec.yaml")  # noqa: E731
                self.assertEqual(name(page.run("check", "-", text=text).stdout), answer["report"])
                self.assertEqual(json.loads(name(page.run("check", "--format", "json", "-", text=text).stdout)), answer["findings"])

    def test_samples(self):
        """What the page offers to be checked is a spec with fixes, and files that lint and import know."""
        folder = page.ROOT / "src/web/samples"
        spec, manifest, script = (folder / name for name in ("spec-with-mistakes.yaml", "manifest-with-mistakes.yaml", "script.sh"))
        [(of_spec, _), (of_manifest, _), (of_script, _), (imported, _)] = ask(*(("", path.read_text()) for path in (spec, manifest, script)), ("import", script.read_text()))
        self.assertTrue([each for each in of_spec["findings"] if each["fixes"]])
        self.assertEqual(["manifest", "script"], [of_manifest["type"], of_script["type"]])
        self.assertTrue(of_manifest["findings"])
        lint = json.loads(page.run("lint", "--format", "json", manifest).stdout.replace(f'"{manifest}"', '"text"'))
        self.assertEqual(lint, of_manifest["findings"])
        self.assertEqual([], of_script["findings"])
        self.assertEqual(page.run("import", script).stdout, imported["spec"])

    def test_bad_input(self):
        for name, text in page.hostile():
            with self.subTest(name):
                [(answer, took)] = ask(("", text))
                self.assertIn("findings", answer)
                self.assertLess(took, MOST_SECONDS * 1000)
                # It goes on afterwards.
        [_, (answer, _)] = ask(("", next(text for name, text in page.hostile() if name == "aliases")), ("", page.SPEC))
        self.assertEqual(1, len(answer["workloads"]))

    def test_size(self):
        total = sum(len(gzip.compress(path.read_bytes(), 9)) for path in page.PAGE.iterdir())
        self.assertLess(total, MOST_BYTES)
        said = float(re.search(r"static files for any web server, ([\d.]+) MB compressed", (page.ROOT / "INSTALL.md").read_text())[1])
        self.assertAlmostEqual(said, total / 1e6, delta=0.1)
        # A server that compresses nothing sends little more.
        self.assertLess(sum(path.stat().st_size for path in page.PAGE.iterdir()), 1.5 * total)


if __name__ == "__main__":
    unittest.main()
