"""`cmake --install` gives a tree that is whole, works from anywhere and knows nothing of where it was built."""
import pathlib
import stat
import subprocess
import tempfile
import unittest

import installed
from installed import EXAMPLE, ROOT, run

HERE = pathlib.Path(__file__).resolve().parent


def data(folder, endings):
    return {path for path in installed.files(ROOT / folder) if path.endswith(endings)}


class Install(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.prefix = pathlib.Path(cls.directory.name) / "some where"
        installed.install(cls.prefix, "--component", "program")
        cls.program = cls.prefix / "bin/flexslice"
        cls.share = cls.prefix / "share/flexslice"
        cls.doc = cls.prefix / "share/doc/flexslice"

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    def test_files(self):
        wanted = {"bin/flexslice"} | {f"share/flexslice/{name}" for name in ("flexslice.schema.json", "plan.schema.json", "findings.schema.json")}
        wanted |= {"share/man/man1/flexslice.1", "share/bash-completion/completions/flexslice", "share/zsh/site-functions/_flexslice",
                   "share/fish/vendor_completions.d/flexslice.fish"}
        wanted |= {f"share/doc/flexslice/{name}" for name in ("README.md", "INSTALL.md", "problem-matcher.json", "LICENSE", "copyright", "schemas/fields.md",
                                                        "schemas/findings.schema.json", "skills/flexslice/SKILL.md")}
        wanted |= {f"share/doc/flexslice/examples/{name}" for name in installed.files(ROOT / "examples")}
        wanted |= {f"share/flexslice/templates/{name}" for name in data("templates", (".yaml", ".sh"))}
        wanted |= {f"share/flexslice/catalog/{name}" for name in data("src/catalog/data", ".yaml")}
        self.assertEqual(sorted(wanted), sorted(installed.files(self.prefix)))

    def test_links_lead_to_installed_files(self):
        self.assertTrue((self.doc / "README.md").exists())
        self.assertEqual([], installed.broken_links(self.prefix))

    def test_modes(self):
        for path in self.prefix.rglob("*"):
            runs = path.is_dir() or path == self.program or path.name == "krm.sh"  # which kustomize starts
            with self.subTest(path=path.relative_to(self.prefix)):
                self.assertEqual(0o755 if runs else 0o644, stat.S_IMODE(path.stat().st_mode))

    def test_program_runs_without_surroundings(self):
        spec = (EXAMPLE / "spec.yaml").read_bytes()
        done = subprocess.run([self.program, "compile", "-"], input=spec, capture_output=True, cwd="/", env={}, check=True)
        self.assertEqual(installed.compiled(spec=spec), done.stdout.decode())
        self.assertEqual(b"", done.stderr)

    def test_version(self):
        version = installed.cache()["CMAKE_PROJECT_VERSION"]
        lines = run([self.program, "--version"]).stdout.decode().splitlines()
        self.assertEqual(f"flexslice {version}", lines[0])
        self.assertRegex(lines[1], r"^catalog \d{4}-\d{2}(-\d{2})?$")
        self.assertRegex(lines[2], r"^gcloud \d+")
        self.assertEqual(3, len(lines))

    def test_schema_is_the_programs_own(self):
        self.assertEqual(run([self.program, "schema"]).stdout, (self.share / "flexslice.schema.json").read_bytes())

    def test_manual_and_completions_are_the_programs_own(self):
        printed = {
            "man/man1/flexslice.1": ["man"],
            "bash-completion/completions/flexslice": ["completion", "bash"],
            "zsh/site-functions/_flexslice": ["completion", "zsh"],
            "fish/vendor_completions.d/flexslice.fish": ["completion", "fish"],
        }
        for name, words in printed.items():
            with self.subTest(name=name):
                self.assertEqual(run([self.program, *words]).stdout, (self.prefix / "share" / name).read_bytes())

    def test_bash_finds_the_completion(self):
        completion = self.prefix / "share/bash-completion/completions/flexslice"
        said = run(["bash", "--norc", HERE / "bash_completion.sh", completion, "comp"]).stdout.decode().split()
        self.assertEqual(["compile", "completion"], sorted(said))

    def test_data_is_what_is_built_in(self):
        spec = self.doc / "examples/multi-host/spec.yaml"
        plain = run([self.program, "compile", spec]).stdout
        self.assertEqual(plain, run([self.program, "compile", "--templates", self.share / "templates", spec]).stdout)
        catalog = [word for path in sorted((self.share / "catalog").rglob("*.yaml")) for word in ("--catalog", path)]
        self.assertTrue(catalog)
        self.assertEqual(plain, run([self.program, "compile", *catalog, spec]).stdout)

    def test_nothing_points_into_the_build(self):
        with tempfile.TemporaryDirectory() as whole:
            installed.install(whole)
            for name in installed.files(whole):
                path = pathlib.Path(whole) / name
                if name.startswith(("lib/libflexslice", "bin/")):
                    if "-fsanitize" in installed.cache()["CMAKE_CXX_FLAGS"]:
                        continue  # reports of sanitizers name source files
                    run(["strip", "--strip-debug", path])  # so does what debuggers read
                bytes_ = path.read_bytes()
                for place in (ROOT, installed.BUILD):
                    with self.subTest(name=name, place=place):
                        self.assertFalse(str(place).encode() in bytes_)


if __name__ == "__main__":
    unittest.main()
