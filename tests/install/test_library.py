"""Programs that find the installed library by find_package get from it what the program gives, for every example and case."""
import json
import os
import pathlib
import re
import sys
import tempfile
import unittest

import installed
from installed import FLEXSLICE, ROOT, run

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "tests/ui"))
import uicases  # noqa: E402

UNIT, RECORD = "\x1f", "\x1e"
LEVELS = ["error", "error", "warning", "note"]  # of api::Level, as the program calls them


class Fields:
    """The fields of one record, read one after the other."""

    def __init__(self, record):
        self.fields = record.split(UNIT)
        self.at = 0

    def text(self):
        self.at += 1
        return self.fields[self.at - 1]

    def number(self):
        return int(self.text())

    def texts(self):
        return [self.text() for _ in range(self.number())]

    def place(self):
        place = {"file": self.text() or None}
        for key in ("line", "column", "endLine", "endColumn"):
            place[key] = self.number() or None
        return place

    def finding(self):
        """As an element of `--format json`."""
        finding = {"code": self.text(), "level": LEVELS[self.number()], **self.place(), "message": self.text()}
        finding |= {"notes": self.texts(), "helps": self.texts()}
        finding["fixes"] = [{**self.place(), "text": self.text()} for _ in range(self.number())]
        finding["related"] = [{**self.place(), "message": self.text()} for _ in range(self.number())]
        return finding


def records(output):
    return [Fields(record) for record in output.decode().split(RECORD)[:-1]]


class Library(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.directory.name)
        cls.prefix, build = cls.folder / "prefix", cls.folder / "build"
        installed.install(cls.prefix, "--component", "development")
        settings = installed.cache()
        same = ["CMAKE_CXX_COMPILER", "CMAKE_CXX_FLAGS", "CMAKE_EXE_LINKER_FLAGS", "CMAKE_BUILD_TYPE", "CMAKE_GENERATOR"]
        options = [f"-D{key}={settings[key]}" for key in same[:-1]]
        run(["cmake", "-S", HERE / "consumer", "-B", build, "-G", settings[same[-1]], f"-DCMAKE_PREFIX_PATH={cls.prefix}", *options])
        run(["cmake", "--build", build, "--parallel", "2"])
        cls.ten, cls.whole = build / "ten", build / "whole"
        cls.compiler = settings["CMAKE_CXX_COMPILER"]

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    def ask(self, *arguments, spec=b"", check=False):
        return run([self.whole, *arguments], stdin=None, input=spec, cwd=self.folder, check=check)

    def program(self, *arguments, spec=b"", check=True):
        return run([FLEXSLICE, *arguments], stdin=None, input=spec, cwd=self.folder, check=check)

    def findings(self, text, *options):
        done = self.ask("check", "<stdin>", *options, spec=text, check=True)
        return [fields.finding() for fields in records(done.stdout)]

    def program_findings(self, text, *options):
        found = json.loads(self.program("check", "--format", "json", *options, "-", spec=text, check=False).stdout)
        for finding in found:
            del finding["name"]
            # An option of the program's.
            finding["helps"] = [each for each in finding["helps"] if not re.fullmatch(r"--allow FS\d+ accepts this", each)]
        return found

    def test_one_header_of_the_standard_library_alone(self):
        headers = list((self.prefix / "include").rglob("*.*"))
        self.assertEqual([self.prefix / "include/flexslice/flexslice.hpp"], headers)
        includes = re.findall(r"^#include (.*)$", headers[0].read_text(), re.MULTILINE)
        self.assertTrue(includes)
        for include in includes:
            self.assertRegex(include, r"^<[a-z_]+>$")
        for standard in ("c++17", "c++20"):
            run([self.compiler, f"-std={standard}", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", "-include", headers[0],
                 "-x", "c++", os.devnull])

    def test_one_archive(self):
        self.assertEqual(["libflexslice_core.a"], [path.name for path in self.prefix.rglob("*.a")])

    def test_the_small_program_has_ten_lines(self):
        self.assertEqual(10, len((HERE / "consumer/ten.cpp").read_text().splitlines()))

    def test_the_small_program_does_what_compile_does(self):
        for example in sorted((ROOT / "examples").glob("*/spec.yaml")):
            if example.parent.name == "sweep":
                continue  # it prints the manifests of each workload, and the last one has those of the others
            with self.subTest(example=example.parent.name), open(example, "rb") as spec:
                made = run([self.ten], stdin=spec).stdout
                self.assertEqual(self.program("compile", example).stdout.decode(), made.decode())

    def test_every_artifact(self):
        for example in sorted((ROOT / "examples").glob("*/spec.yaml")):
            with self.subTest(example=example.parent.name), tempfile.TemporaryDirectory() as out:
                self.program("compile", "--out-dir", out, example)
                wanted = {name: (pathlib.Path(out) / name).read_text() for name in installed.files(out)}
                made = {}
                for fields in records(self.ask("compile", "a/b/spec.yaml", spec=example.read_bytes(), check=True).stdout):
                    name, word, file, text = fields.text(), fields.text(), fields.text(), fields.text()
                    made[f"{name}/{file}"] = text
                    self.assertEqual(file.split(".")[0], word)
                self.assertEqual(wanted, made)

    def test_findings_of_every_case(self):
        cases = sorted((ROOT / "tests/ui/cases").glob("*.yaml")) + sorted((ROOT / "examples").glob("*/spec.yaml"))
        self.assertTrue(cases)
        for case in cases:
            with self.subTest(case=case.name):
                text = uicases.whole(case.read_bytes())
                self.assertEqual(self.program_findings(text), self.findings(text))

    def test_lint(self):
        found = 0
        files = sorted([*(ROOT / "examples").glob("*/expected/*.*"), *(ROOT / "tests/golden/examples").glob("*/*.*"), *(ROOT / "tests/ui/cases").rglob("*.*"),
                        *(file for file in (ROOT / "tests/ui/lint").glob("*.*") if not file.name.endswith((".out", ".escaped")))])
        for file in files:
            text = file.read_bytes()
            for notes in ([], ["--notes"]):
                with self.subTest(file=file.name, notes=notes):
                    program = self.program("lint", "--format", "json", "--stdin-filename", file.name, *notes, "-", spec=text, check=False)
                    ours = [fields.finding() for fields in records(self.ask("lint", file.name, *notes, spec=text, check=True).stdout)]
                    theirs = json.loads(program.stdout)
                    for finding in theirs:
                        del finding["name"]
                    self.assertEqual(theirs, ours)
                    found += len(ours)
        self.assertGreater(found, 5)

    def test_streams(self):
        good = (ROOT / "examples/multi-host/spec.yaml").read_text()
        bad = good.replace("topology: 4x4", "topology: 4x6")
        self.assertNotEqual(good, bad)
        streams = [
            "", "\n", "# nothing\n", "---\n", "---\n---\n", f"{good}---\n{bad}", f"---\n{bad}---\n# blank\n--- # one\n{bad}...\n---\n",
            f"%YAML 1.2\n---\n{good}", f"{good}--- {{name: x}}\n---\n- 1\n", "--- 7\n", f"\ufeff{good}", good.replace("\n", "\r\n"),
        ]
        for text in streams:
            with self.subTest(text=text[-40:]):
                self.assertEqual(self.program_findings(text.encode()), self.findings(text.encode()))

    def test_options(self):
        spec = (ROOT / "examples/multi-host/spec.yaml").read_bytes()
        (self.folder / "house.yaml").write_text("namespace: team\nlabels: {team: a}\n")
        layers = ["--defaults", "house.yaml", "--set", "tpu.topology=4x8"]
        made = records(self.ask("compile", "<stdin>", "--no-comments", "--emit", "2", *layers, spec=spec, check=True).stdout)
        self.assertEqual(1, len(made))
        self.assertEqual(["job-1", "provision", "provision.sh"], made[0].fields[:3])
        wanted = self.program("compile", "--no-comments", "--emit", "provision", *layers, "-", spec=spec).stdout.decode()
        self.assertEqual(wanted, made[0].fields[3])
        self.assertIn("4x8", wanted)
        (self.folder / "house.yaml").write_text("namespaze: team\n")
        layers[-1] = "tpu.topology=4x6"
        found = self.findings(spec, *layers)
        self.assertEqual(["house.yaml", "--set"], sorted((each["file"] for each in found), reverse=True))
        self.assertEqual(self.program_findings(spec, *layers), found)

    def test_status(self):
        spec = (ROOT / "examples/multi-host/spec.yaml").read_bytes()
        self.assertEqual(0, self.ask("compile", "a", spec=spec).returncode)
        self.assertEqual(1, self.ask("compile", "a", spec=spec.replace(b"4x4", b"4x6")).returncode)

    def test_threads(self):
        spec = (ROOT / "examples/everything/spec.yaml").read_bytes()
        self.assertEqual(0, self.ask("threads", "a", spec=spec).returncode)

    def test_about(self):
        self.assertEqual(self.program("--version").stdout, self.ask("about").stdout)

    def test_package_version(self):
        version = installed.cache()["CMAKE_PROJECT_VERSION"]
        for asked, found in ((version, True), ("99", False)):
            with self.subTest(asked=asked), tempfile.TemporaryDirectory() as directory:
                text = f"cmake_minimum_required(VERSION 3.22)\nproject(x CXX)\nfind_package(flexslice {asked} REQUIRED NO_MODULE)\n"
                (pathlib.Path(directory) / "CMakeLists.txt").write_text(text)
                done = run(["cmake", "-S", directory, "-B", f"{directory}/b", f"-DCMAKE_PREFIX_PATH={self.prefix}"], check=False)
                self.assertEqual(found, done.returncode == 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
