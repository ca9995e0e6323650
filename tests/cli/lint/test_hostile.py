"""Trees that somebody else made: nothing crashes, hangs, runs, or hides another file's findings."""
import os
import shutil
import stat
import subprocess
import unittest

from linting import BAD, FINDINGS, FINE, FLEXSLICE, GOOD, LintCase, job


class Hostile(LintCase):
    def program(self):
        """(a program, the file that it makes when it runs)"""
        self.write("evil.sh", f"#!/bin/sh\ntouch {self.folder}/ran\n")
        os.chmod(self.folder / "evil.sh", 0o755)
        return self.folder / "evil.sh", self.folder / "ran"

    def test_settings_of_a_repository_run_nothing(self):
        if shutil.which("git") is None:
            self.skipTest("git is missing")
        evil, ran = self.program()
        self.write("repo/x.yaml", BAD)
        self.write("repo/out/x.yaml", BAD)
        self.write("repo/.gitignore", "out\n")
        self.git("init", "-q", folder="repo")
        self.git("add", "x.yaml", folder="repo")
        for setting in ("core.fsmonitor", "core.pager", "pager.ls-files", "alias.ls-files", "core.sshCommand", "core.askPass", "core.editor", "credential.helper",
                        "diff.external", "filter.x.clean", "filter.x.smudge", "filter.x.process"):
            self.git("config", setting, str(evil), folder="repo")
        self.git("config", "core.hooksPath", str(self.folder / "hooks"), folder="repo")
        for hook in ("post-index-change", "fsmonitor-watchman", "query-watchman", "post-checkout"):
            for folder in ("hooks", "repo/.git/hooks"):
                (self.folder / folder).mkdir(exist_ok=True)
                shutil.copy(evil, self.folder / folder / hook)
        self.write("repo/.gitattributes", "* filter=x diff=x\n")
        git = {"PATH": os.environ["PATH"], "HOME": str(self.folder)}
        subprocess.run(["git", "status"], cwd=self.folder / "repo", env=git, capture_output=True, check=False)
        self.assertTrue(ran.exists(), "the repository is not hostile")
        ran.unlink()
        places, summary = self.lint("repo")
        self.assertEqual(["repo/x.yaml"], places)
        self.assertIn("1 ignored by git", summary)
        self.assertFalse(ran.exists())

    def test_our_environment_runs_nothing(self):
        if shutil.which("git") is None:
            self.skipTest("git is missing")
        evil, ran = self.program()
        self.write("repo/x.yaml", BAD)
        self.write("repo/out/x.yaml", BAD)
        self.write("repo/.gitignore", "out\n")
        self.git("init", "-q", folder="repo")
        hostile = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.fsmonitor", "GIT_CONFIG_VALUE_0": str(evil), "GIT_PAGER": str(evil), "GIT_EXTERNAL_DIFF": str(evil),
                   "GIT_EXEC_PATH": str(self.folder), "GIT_DIR": "/nonexistent", "GIT_INDEX_FILE": "/nonexistent", "GIT_TRACE": str(ran), "GIT_SSH": str(evil)}
        places, summary = self.lint("repo", environment=hostile)
        self.assertEqual(["repo/x.yaml"], places)
        self.assertIn("1 ignored by git", summary)
        self.assertFalse(ran.exists())

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("git"), "only root makes repositories of others")
    def test_repository_of_another_user(self):
        """git does not say what it ignores there, and the files are read; a note says so, once."""
        self.write("repo/x.yaml", GOOD)
        self.write("repo/out/x.yaml", BAD)
        self.write("repo/.gitignore", "out\n")
        self.git("init", "-q", folder="repo")
        for owner in (12345, 0):
            os.chown(self.folder / "repo", owner, owner)
            places, said = self.lint("repo", environment={"HOME": str(self.folder)})
            self.assertEqual(["repo/out/x.yaml"] if owner else [], places)
            root = (self.folder / "repo").resolve()
            note = (f"flexslice: note: git refuses the repository {root}, which belongs to another user; to trust it, "
                    f"run `git config --global --add safe.directory {root}`; the files that it ignores are read too\n")
            self.assertEqual(1 if owner else 0, said.count(note), said)
        self.git("config", "--file", str(self.folder / ".gitconfig"), "safe.directory", "*")
        os.chown(self.folder / "repo", 12345, 12345)
        self.assertEqual([], self.lint("repo", environment={"HOME": str(self.folder)})[0])

    @unittest.skipUnless(os.geteuid() == 0, "only root runs the program as another user")
    def test_folder_of_another_user(self):
        """Outside of repositories nothing is refused, whoever owns the folder."""
        try:
            subprocess.run([FLEXSLICE, "--version"], user=12345, cwd="/", stdout=subprocess.DEVNULL, check=True)
        except OSError:
            self.skipTest("nobody but root can run this program")
        os.chmod(self.folder, 0o755)
        self.write("plain/x.yaml", GOOD)
        self.write("repo/x.yaml", GOOD)
        self.git("init", "-q", folder="repo")
        self.assertEqual([], self.lint("plain", user=12345)[0])
        self.assertNotIn("refuses", self.lint("plain", user=12345)[1])
        self.assertIn("refuses", self.lint("repo", user=12345)[1])

    def test_nothing_is_fetched(self):
        """A .gitignore that is only in the index is read from an object, which a promisor remote would be asked for."""
        if shutil.which("git") is None:
            self.skipTest("git is missing")
        evil, ran = self.program()
        self.write("repo/x.yaml", BAD)
        self.write("repo/.gitignore", "out\n")
        self.git("init", "-q", folder="repo")
        self.git("add", ".gitignore", folder="repo")
        self.git("update-index", "--skip-worktree", ".gitignore", folder="repo")
        for setting in (("extensions.partialClone", "origin"), ("core.repositoryFormatVersion", "1"), ("remote.origin.url", f"ext::{evil}"), ("remote.origin.promisor", "true"),
                        ("protocol.ext.allow", "always"), ("protocol.allow", "always"), ("core.sshCommand", str(evil))):
            self.git("config", *setting, folder="repo")
        (self.folder / "repo/.gitignore").unlink()
        for blob in (self.folder / "repo/.git/objects").glob("??/*"):
            os.chmod(blob, stat.S_IRUSR | stat.S_IWUSR)
            blob.unlink()
        git = {"PATH": os.environ["PATH"], "HOME": str(self.folder)}
        subprocess.run(["git", "ls-files", "--others", "--ignored", "--exclude-standard"], cwd=self.folder / "repo", env=git, capture_output=True, check=False)
        if not ran.exists():
            self.skipTest("this git fetches nothing here")
        ran.unlink()
        self.assertEqual(["repo/x.yaml"], self.lint("repo")[0])
        self.assertFalse(ran.exists())

    def test_broken_repositories(self):
        for broken in ("gitdir: /nonexistent\n", "gitdir: .\n", "", "\xff"):
            self.write("a/.git", broken)
            self.write("a/x.yaml", BAD)
            self.write("b/x.yaml", BAD)
            self.assertEqual(["a/x.yaml", "b/x.yaml"], self.lint()[0])

    def test_bytes(self):
        texts = {"latin1.yaml": BAD.encode() + b"# \xe9\n", "crlf.yaml": BAD.replace("\n", "\r\n").encode(), "tabs.yaml": b"a:\n\tgoogle.com/tpu: 16\n",
                 "mark.yaml": b"\xef\xbb\xbf" + BAD.encode(), "utf16.yaml": BAD.encode("utf-16"), "empty.yaml": b"", "open.md": b"```yaml\n" + BAD.encode(),
                 "quote.sh": b"gcloud container node-pools create 'x --tpu-topology=4x4\n", "here.sh": b"cat <<EOF\n" + BAD.encode(), "nul.md": b"google.com/tpu\0" * 9,
                 "deep.json": b'{"google.com/tpu":' + b"[" * 100_000, "deep.md": b"> " * 50_000 + b"google.com/tpu: 16", "line.yaml": b"google.com/tpu: " + b"1" * 1_000_000,
                 "brackets.sh": b"gcloud $(" * 50_000 + b"tpu-topology"}
        for name, text in texts.items():
            self.write(name, text)
        self.write("z.yaml", BAD)
        for form in ("text", "json", "sarif", "github"):
            run = self.bounded(FINDINGS, "lint", "--format", form, memory=300)
            self.assertIn("z.yaml", run.out)
        for name in texts:
            with self.subTest(name=name):
                self.assertIn(self.run_flexslice("lint", "--format", "short", name).status, (FINE, FINDINGS))

    def test_deep_directories(self):
        path = self.folder
        fd = os.open(path, os.O_RDONLY)
        for _ in range(2500):
            os.mkdir("d", dir_fd=fd)
            inner = os.open("d", os.O_RDONLY, dir_fd=fd)
            os.close(fd)
            fd = inner
        os.close(fd)
        self.addCleanup(subprocess.run, ["rm", "-rf", "--", "d"], cwd=self.folder, check=True)
        self.write("z.yaml", BAD)
        result = self.run_flexslice("lint", "--format", "short")
        self.assertIn("z.yaml", result.out)
        self.assertIn("file name too long", result.err)

    def test_memory_is_flat(self):
        for index in range(20_000):
            folder = self.folder / f"{index % 100:02}"
            folder.mkdir(exist_ok=True)
            (folder / f"{index}.yaml").write_text(job(4, f"job-{index}") if index % 100 == 0 else "kind: ConfigMap\n# padding\n")
        self.bounded(FINE, "lint", memory=48)


if __name__ == "__main__":
    unittest.main()
