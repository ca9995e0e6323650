"""tools/release/release: what it refuses, and that its archives and lists depend on nothing but their content. tests/prove.sh makes two releases."""
import importlib.machinery
import importlib.util
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import tarfile
import unittest
from unittest import mock

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "tools/release/release"
WHO = {f"GIT_{role}_{what}": "test@example.com" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


def module():
    loader = importlib.machinery.SourceFileLoader("release", str(SCRIPT))
    made = importlib.util.module_from_spec(importlib.util.spec_from_loader("release", loader))
    loader.exec_module(made)
    return made


class Release(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.folder = pathlib.Path(directory.name)
        self.clone = self.folder / "clone"
        (self.clone / "tools").mkdir(parents=True)
        shutil.copytree(ROOT / "tools/release", self.clone / "tools/release")
        (self.clone / "CMakeLists.txt").write_text("project(flexslice VERSION 1.2.3 LANGUAGES CXX)\n")
        (self.clone / "CHANGELOG.md").write_text("# Changelog\n\n## 1.2.3 (2026-12-01)\n\n- First.\n")
        (self.clone / ".gitignore").write_text("__pycache__\n")
        self.git("init", "-q", "-b", "main")
        self.commit()

    def git(self, *words):
        subprocess.run(["git", *words], cwd=self.clone, env={**os.environ, **WHO}, check=True, capture_output=True)

    def commit(self):
        self.git("add", ".")
        self.git("commit", "-q", "-m", "Change", "--allow-empty")

    def assert_refused(self, words, version="1.2.3"):
        # A cmake that fails shows that what is not refused would be built.
        fake = self.folder / "bin"
        fake.mkdir(exist_ok=True)
        (fake / "cmake").write_text("#!/bin/sh\nexit 77\n")
        (fake / "cmake").chmod(0o755)
        environment = {**os.environ, "PATH": f"{fake}:{os.environ['PATH']}", "PYTHONDONTWRITEBYTECODE": "1"}
        out = self.folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        done = subprocess.run([self.clone / "tools/release/release", version, out], env=environment, capture_output=True, text=True, check=False)
        last = done.stderr.splitlines()[-1]
        self.assertRegex(last, r"\Arelease: ")
        self.assertIn(words, last)
        self.assertEqual(1, done.returncode)

    def test_ready(self):
        for version in ("1.2.3", "v1.2.3", "--trial"):
            self.assert_refused("`cmake --preset web", version)

    def test_dirty_tree(self):
        (self.clone / "new.txt").write_text("new\n")
        self.assert_refused("changes that are not committed")

    def test_other_version(self):
        self.assert_refused("CMakeLists.txt says version 1.2.3, not 1.2.4", "1.2.4")

    def test_no_section(self):
        (self.clone / "CHANGELOG.md").write_text("# Changelog\n\n## Unreleased\n\n- More.\n\n## 1.2.30\n")
        self.commit()
        self.assert_refused("CHANGELOG.md has no section `## 1.2.3`")

    def test_section_without_a_date(self):
        (self.clone / "CHANGELOG.md").write_text("# Changelog\n\n## 1.2.3 (unreleased)\n")
        self.commit()
        self.assert_refused("CHANGELOG.md says `## 1.2.3 (unreleased)`; write the date")

    def test_other_files(self):
        """Hooks and their example install the release that they are of, and what it gives is recorded."""
        (self.clone / "examples/ci").mkdir(parents=True)
        for name, text, words in ((".pre-commit-hooks.yaml", 'additional_dependencies: ["flexslice@{}"]\n', ".pre-commit-hooks.yaml says version 1.2.2, not 1.2.3"),
                                  ("examples/ci/README.md", "    rev: v{}\n", "examples/ci/README.md says version 1.2.2, not 1.2.3")):
            for version in ("1.2.2", "1.2.3"):
                (self.clone / name).write_text(text.format(version))
                self.commit()
                self.assert_refused(words if version == "1.2.2" else "`cmake --preset web")
        (self.clone / "tests/compat/1.1").mkdir(parents=True)
        (self.clone / "tests/compat/1.1/numbers.txt").write_text("1\n")
        self.commit()
        self.assert_refused("nothing is recorded of 1.2.3; run `python3 tests/compat/record.py 1.2`")
        (self.clone / "tests/compat/1.2").mkdir()
        (self.clone / "tests/compat/1.2/numbers.txt").write_text("1\n")
        self.commit()
        self.assert_refused("`cmake --preset web")

    def test_repository(self):
        """npm's provenance compares the address in the packages with that of the workflow."""
        release = module()
        for origin, address in (("https://github.com/o/r", "git+https://github.com/o/r.git"), ("https://github.com/o/r.git", "git+https://github.com/o/r.git"),
                                ("git@github.com:o-2/r.s.git", "git+https://github.com/o-2/r.s.git"), ("ssh://git@github.com/o/r.git", "git+https://github.com/o/r.git"),
                                ("https://token:x@github.com/o/r/", "git+https://github.com/o/r.git"), ("/srv/r", ""), ("", ""), ("https://gitlab.example/o/r.git", "")):
            with mock.patch.object(release, "git", return_value=mock.Mock(stdout=f"{origin}\n")):
                self.assertEqual(address, release.repository(), origin)

    def test_tag_of_the_action(self):
        """v1 follows the newest release, and only that."""
        script = str(SCRIPT.parent / "move-tag.sh")
        origin = self.folder / "origin"
        subprocess.run(["git", "clone", "-q", "--bare", str(self.clone), str(origin)], check=True)
        self.git("remote", "add", "origin", str(origin))
        tagged = {}
        for version, said in (("v1.0.0", "v1 is v1.0.0 now"), ("v1.10.0", "v1 is v1.10.0 now"), ("v1.9.1", "v1 stays: the newest release is v1.10.0, not v1.9.1"), ("v2.0.0", "v2 is v2.0.0 now")):
            self.commit()
            self.git("tag", version)
            self.git("push", "-q", "origin", version)
            done = subprocess.run([script, version], cwd=self.clone, capture_output=True, text=True, check=True)
            self.assertEqual(f"{said}\n", done.stdout)
            refs = subprocess.run(["git", "for-each-ref", "--format=%(refname:short) %(objectname)", "refs/tags"], cwd=origin, capture_output=True, text=True, check=True).stdout
            tagged = dict(line.split() for line in refs.splitlines())
        self.assertEqual((tagged["v1.10.0"], tagged["v2.0.0"]), (tagged["v1"], tagged["v2"]))
        triggers = yaml.safe_load((ROOT / ".github/workflows/release.yaml").read_text())[True]["push"]["tags"]
        for tag in tagged:
            self.assertEqual("." in tag, any(re.fullmatch(each.replace(".", "\\."), tag) for each in triggers), tag)

    @unittest.skipUnless(shutil.which("node"), "node is missing")
    def test_publish(self):
        """The packages with a program come first, and what is there already is left out."""
        folder = self.folder / "dist"
        folder.mkdir()
        for name in ("flexslice", "flexslice-linux-arm64", "flexslice-linux-x64"):
            text = json.dumps({"name": name, "version": "1.2.3"}).encode()
            with tarfile.open(folder / f"{name}-1.2.3.tgz", "w:gz") as archive:
                info = tarfile.TarInfo("package/package.json")
                info.size = len(text)
                archive.addfile(info, io.BytesIO(text))
        fake = self.folder / "bin"
        fake.mkdir()
        (fake / "npm").write_text(f'#!/bin/sh\ncase "$*" in "view flexslice-linux-arm64@1.2.3 version") echo 1.2.3 ;; view*) exit 1 ;; "config get registry") echo https://packages.example/ ;; esac\necho "$@" >> {self.folder}/asked\n')
        (fake / "npm").chmod(0o755)
        environment = {**os.environ, "PATH": f"{fake}:{os.environ['PATH']}", "NODE_AUTH_TOKEN": "secret"}
        subprocess.run([SCRIPT.parent / "publish.sh", "dist"], cwd=self.folder, env=environment, check=True, capture_output=True)
        asked = [line for line in (self.folder / "asked").read_text().splitlines() if line.startswith("publish")]
        self.assertIn("config set //packages.example/:_authToken secret\n", (self.folder / "asked").read_text())
        self.assertEqual([f"publish {folder.resolve()}/{name}-1.2.3.tgz --access public --provenance" for name in ("flexslice-linux-x64", "flexslice")], asked)
        (folder / "flexslice-1.2.3.tgz").unlink()
        (folder / "flexslice-linux-x64-1.2.3.tgz").unlink()
        self.assertEqual(1, subprocess.run([SCRIPT.parent / "publish.sh", "dist"], cwd=self.folder, env=environment, check=False, capture_output=True).returncode)

    def test_tag(self):
        self.git("tag", "v1.2.3")
        self.assert_refused("`cmake --preset web")
        self.commit()
        self.assert_refused("the tag v1.2.3 is another commit than HEAD")
        self.git("tag", "-f", "-a", "-m", "Release", "v1.2.3")
        self.assert_refused("`cmake --preset web")

    def test_archives(self):
        """Times, owners, the order and the mask of the user do not matter."""
        release = module()
        made = []
        for name, mask in (("one", 0o022), ("two", 0o077)):
            before = os.umask(mask)
            tree = self.folder / name / "tree"
            (tree / "bin").mkdir(parents=True)
            for file in ("bin/b", "a") if name == "one" else ("a", "bin/b"):
                (tree / file).write_text(file)
            (tree / "bin/b").chmod(0o755 if name == "one" else 0o700)
            os.umask(before)
            with mock.patch.object(release, "git", return_value=mock.Mock(stdout="1700000000\n")):
                each = release.Release("1.2.3", self.folder / name)
            each.archive("tree.tar.gz", tree)
            made.append((self.folder / name / "tree.tar.gz").read_bytes())
        self.assertEqual(*made)
        with tarfile.open(fileobj=io.BytesIO(made[0])) as archive:
            self.assertEqual([("tree", 0o755), ("tree/a", 0o644), ("tree/bin", 0o755), ("tree/bin/b", 0o755)], [(each.name, each.mode) for each in archive])

    def test_packages_have_the_program_for_node(self):
        """Every pass over a processor writes the main package anew."""
        release = module()
        with mock.patch.object(release, "git", return_value=mock.Mock(stdout="1700000000\n")):
            made = release.Release("1.2.3", self.folder / "made")
        calls = []
        (self.folder / "made/work").mkdir(parents=True)
        (self.folder / "web/page").mkdir(parents=True)
        with mock.patch.multiple(made, take_source=mock.DEFAULT, sums=mock.DEFAULT, archive=mock.DEFAULT, run=lambda *words: calls.append([str(word) for word in words]),
                                 build=lambda preset, *_: self.folder / preset), \
                mock.patch.object(release.compiled_in, "document", lambda *_: {}):
            made.make()
        packs = [words for words in calls if words[-1] == "tools/packaging/npm/pack.cmake"]
        self.assertEqual(len(release.PRESETS), len(packs))
        for words in packs:
            self.assertIn(f"WASM={self.folder / 'web/program'}", words)

    def test_list_of_parts(self):
        """Each library that the build finds is compiled in, and has a licence."""
        release = module()
        with mock.patch.object(release.compiled_in, "version_of", lambda package: f"version of {package}"):
            listed = release.compiled_in.document("1.2.3", 1700000000)
        self.assertEqual(("SPDX-2.3", "2023-11-14T22:13:20Z"), (listed["spdxVersion"], listed["creationInfo"]["created"]))
        names = {each["name"] for each in listed["packages"]}
        found = set(re.findall(r"find_package\(([\w-]+) REQUIRED\)", (ROOT / "CMakeLists.txt").read_text())) - {"Threads"}
        self.assertLessEqual({name.replace("_", "-") for name in found}, names)
        known = {each["SPDXID"] for each in listed["packages"]} | {"SPDXRef-DOCUMENT"}
        self.assertEqual(len(listed["packages"]) + 1, len(known))
        for each in listed["relationships"]:
            self.assertLessEqual({each["spdxElementId"], each["relatedSpdxElement"]}, known)
        self.assertTrue(all(each["licenseConcluded"] for each in listed["packages"]))
        json.dumps(listed)

    def test_workflows(self):
        """They run the scripts that are tested here, and nothing that is only there."""
        for file in sorted((ROOT / ".github/workflows").glob("*.yaml")):
            for job in yaml.safe_load(file.read_text())["jobs"].values():
                for step in (step["run"] for step in job["steps"] if "run" in step):
                    script = step.split()[0]
                    if script not in ("apt-get", "git", "gh"):
                        self.assertTrue(os.access(ROOT / script, os.X_OK), f"{file.name}: {script}")
        steps = (ROOT / "tests/prove.sh").read_text()
        for step in ("wasm", "arm64", "release"):
            self.assertIn(f"    {step}) ", steps)


if __name__ == "__main__":
    unittest.main()
