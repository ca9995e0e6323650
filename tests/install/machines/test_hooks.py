"""The hooks with `language: node`, installed by the real pre-commit from the packages of this build tree; no flexslice is on PATH."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import packages
import yaml

SPEC = (packages.ROOT / "examples/multi-host/spec.yaml").read_text()
HOOKS = yaml.safe_load((packages.ROOT / ".pre-commit-hooks.yaml").read_text())


class Hooks(unittest.TestCase):
    def setUp(self):
        packages.need("npm")
        packages.need("pre-commit")
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.place = pathlib.Path(directory.name)
        who = {f"GIT_{role}_{what}": "test@example.com" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        folders = [folder for folder in os.environ["PATH"].split(":") if not (pathlib.Path(folder) / "flexslice").exists()]
        self.environment = packages.clean_environment(self.place, PATH=":".join(folders), GIT_CONFIG_NOSYSTEM="1", GIT_CONFIG_GLOBAL="/dev/null",
                                                      PRE_COMMIT_HOME=str(self.place / "cache"), PRE_COMMIT_COLOR="never", **who)

    def run_in(self, folder, *command):
        return subprocess.run(command, cwd=folder, env=self.environment, capture_output=True, text=True, check=False)

    def repository(self, name, files):
        folder = self.place / name
        for file, text in files.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text)
        for command in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "Start"]):
            done = self.run_in(folder, "git", *command)
            self.assertEqual(0, done.returncode, done.stderr)
        return folder, self.run_in(folder, "git", "rev-parse", "HEAD").stdout.strip()

    def test_hooks(self):
        hooks, revision = self.repository("hooks", {name: (packages.ROOT / name).read_text() for name in (".pre-commit-hooks.yaml", "package.json")})
        local = [str(path) for path in packages.packed()]
        chosen = [{"id": row["id"], "additional_dependencies": local} for row in HOOKS if row["language"] == "node"]
        config = {"repos": [{"repo": str(hooks), "rev": revision, "hooks": chosen}]}
        work, _ = self.repository("work", {"specs/job.yaml": SPEC, ".pre-commit-config.yaml": yaml.safe_dump(config)})
        subprocess.run([os.environ["FLEXSLICE"], "compile", "--out-dir", "out", "specs"], cwd=work, check=True, capture_output=True)
        self.assertIsNone(shutil.which("flexslice", path=self.environment["PATH"]))
        self.run_in(work, "git", "add", ".")
        done = self.run_in(work, "pre-commit", "run", "--all-files")
        self.assertEqual((0, 3), (done.returncode, done.stdout.count("Passed")), done.stdout + done.stderr)
        (work / "specs/job.yaml").write_text(SPEC.replace("4x4", "4x6"))
        done = self.run_in(work, "pre-commit", "run", "--all-files")
        self.assertEqual((1, 2), (done.returncode, done.stdout.count("Failed")), done.stdout + done.stderr)
        self.assertIn("error[FS3002]: topology 4x6 is not available for v6e", done.stdout)

    def test_versions(self):
        """The hooks of a release install its package."""
        own = re.search(r"project\(flexslice VERSION ([0-9.]+)", (packages.ROOT / "CMakeLists.txt").read_text())[1]
        of_node = [row for row in HOOKS if row["language"] == "node"]
        self.assertEqual([[f"flexslice@{own}"]] * 3, [row["additional_dependencies"] for row in of_node])
        self.assertEqual([row["id"] for row in of_node], [f"{row['id']}-node" for row in HOOKS if row["language"] == "system"])


if __name__ == "__main__":
    unittest.main()
