"""What is in the way of an output: kills, full disks, links, modes, the inputs themselves. A file is old or new, never half of one."""
import os
import signal
import stat
import subprocess
import time
import unittest

from running import FINDINGS, FINE, FLEXSLICE, IO, PATIENCE, USAGE, BatchCase, spec, stream


class Killed(BatchCase):
    def kill(self, process, when, how):
        """Kills the process as soon as `when()` is true, unless it has ended before."""
        end = time.monotonic() + PATIENCE
        while not when() and process.poll() is None and time.monotonic() < end:
            time.sleep(0.001)
        process.send_signal(how)
        process.wait()

    def leftovers(self):
        return [name for name in self.files() if ".flexslice-" in name]

    def test_while_it_writes(self):
        """Output comes as long as input does, so that it is killed in the middle for certain."""
        specs = stream(500).encode()
        for how in (signal.SIGKILL, signal.SIGTERM):
            with self.subTest(how=how):
                self.write("out.yaml", "old\n")
                words = [FLEXSLICE, "compile", "-o", "out.yaml", "-"]
                with subprocess.Popen(words, cwd=self.folder, stdin=subprocess.PIPE, bufsize=0) as process:
                    while not self.leftovers():
                        process.stdin.write(specs)
                    process.send_signal(how)
                self.assertEqual(-how, process.returncode)
                self.assertEqual("old\n", self.read("out.yaml"))
                # What is left has a name that patterns and `kubectl apply -f DIR` pass over.
                (left,) = self.leftovers()
                self.assertTrue(left.startswith("."))
                (self.folder / left).unlink()

    def test_while_it_mends(self):
        old = stream(800).replace("tpu: {", 'tpu: {slices: "1", ')
        for how in (signal.SIGKILL, signal.SIGTERM) * 2:
            self.write("all.yaml", old)
            process = subprocess.Popen([FLEXSLICE, "check", "--fix", "all.yaml"], cwd=self.folder, stderr=subprocess.DEVNULL)
            self.kill(process, self.leftovers, how)
            self.assertIn(self.read("all.yaml"), (old, old.replace('"1"', "1")))
            for name in self.leftovers():
                (self.folder / name).unlink()

    def test_while_it_makes_many(self):
        self.write("all.yaml", stream(60))
        self.fine("compile", "--out-dir", "whole", "all.yaml")
        for number, how in ((5, signal.SIGKILL), (100, signal.SIGTERM)):
            top = self.folder / f"out{number}"
            words = [FLEXSLICE, "compile", "--out-dir", top.name, "all.yaml"]
            process = subprocess.Popen(words, cwd=self.folder, stderr=subprocess.DEVNULL)
            self.kill(process, lambda: sum(1 for _ in top.rglob("*.*")) > number, how)
            for path in top.rglob("[!.]*.*"):
                self.assertEqual((self.folder / "whole" / path.relative_to(top)).read_bytes(), path.read_bytes())


class Disk(BatchCase):
    SCRIPT = """\
    mount -t tmpfs -o size=256k tmpfs disk || exit 77
    cp broken.yaml disk/; echo old >disk/out.yaml; mkdir -p disk/out/a; echo old >disk/out/a/manifests.yaml
    head -c 1M /dev/zero >disk/filler 2>/dev/null
    try() { "$FLEXSLICE" "$@"; echo $?; }
    try compile -o disk/out.yaml a.yaml; try compile -o disk/new.yaml a.yaml; try compile --out-dir disk/out a.yaml
    try check --fix disk/broken.yaml
    cmp broken.yaml disk/broken.yaml && cat disk/out.yaml disk/out/a/manifests.yaml && find disk -type f | sort
    """

    def test_full(self):
        self.write("a.yaml", spec("a"))
        self.write("broken.yaml", spec().replace("tpu: {", 'tpu: {slices: "1", '))
        (self.folder / "disk").mkdir()
        done = subprocess.run(["unshare", "--mount", "sh", "-c", self.SCRIPT], cwd=self.folder, capture_output=True, text=True, check=False,
                              env={**os.environ, "FLEXSLICE": FLEXSLICE})
        if done.returncode in (1, 77) and not done.stdout:
            self.skipTest("no leave to mount a small disk")
        files = [f"disk/{name}" for name in ("broken.yaml", "filler", "out.yaml", "out/a/manifests.yaml")]
        self.assertEqual(["3"] * 4 + ["old"] * 2 + files, done.stdout.splitlines())
        told = ("out.yaml", "new.yaml", "out/a/manifests.yaml", "broken.yaml")
        self.assertEqual([f"flexslice: disk/{name}: no space left on device" for name in told], done.stderr.splitlines())


class InTheWay(BatchCase):
    def setUp(self):
        super().setUp()
        self.write("a.yaml", spec("a"))

    def mode(self, name):
        return stat.S_IMODE((self.folder / name).stat().st_mode)

    def test_read_only_output(self):
        for words, name in ((["-o", "out.yaml"], "out.yaml"), (["--out-dir", "out"], "out/a/plan.json")):
            with self.subTest(name=name):
                self.write(name, "mine\n")
                os.chmod(self.folder / name, 0o444)
                self.assertIn(f"flexslice: {name}: is read-only\n", self.expect(IO, "compile", *words, "a.yaml").err)
                self.assertEqual("mine\n", self.read(name))
        # One that is current needs no writing.
        self.fine("compile", "-o", "current.yaml", "a.yaml")
        os.chmod(self.folder / "current.yaml", 0o444)
        self.fine("compile", "-o", "current.yaml", "a.yaml")

    def test_folders_without_leave_to_write(self):
        for name in ("house", "out/a"):
            (self.folder / name).mkdir(parents=True)
        user = self.without_rights()
        for name in ("house", "out/a"):
            os.chmod(self.folder / name, 0o555)
        for option, word, shown in (("-o", "house/a.yaml", "house/a.yaml"), ("--out-dir", "house", "house/a"),
                                    ("--out-dir", "house/new", "house/new"), ("--out-dir", "out", "out/a/manifests.yaml")):
            with self.subTest(shown=shown):
                result = self.expect(IO, "compile", option, word, "a.yaml", **user)
                self.assertEqual(f"flexslice: {shown}: permission denied\n", result.err)
        self.assertEqual(["a.yaml"], self.files())

    def test_modes_stay_but_scripts_become_executable(self):
        self.write("out.yaml", "old\n")
        os.chmod(self.folder / "out.yaml", 0o600)
        self.fine("compile", "-o", "out.yaml", "a.yaml", umask=0)
        self.assertEqual(0o600, self.mode("out.yaml"))
        for text in ("old\n", self.fine("compile", "--emit", "verify", "a.yaml").out):
            self.write("verify.sh", text)
            os.chmod(self.folder / "verify.sh", 0o640)
            self.fine("compile", "--emit", "verify", "-o", "verify.sh", "a.yaml")
            self.assertEqual(0o750, self.mode("verify.sh"))

    def test_link_to_nowhere_is_written_through(self):
        os.symlink("real.yaml", self.folder / "link.yaml")
        self.fine("compile", "-o", "link.yaml", "a.yaml")
        self.assertTrue((self.folder / "link.yaml").is_symlink() and (self.folder / "real.yaml").is_file())

    def test_links_in_a_circle(self):
        os.symlink("b", self.folder / "a")
        os.symlink("a", self.folder / "b")
        os.symlink("self", self.folder / "self")
        for words in (["-o", "a"], ["-o", "self"], ["--out-dir", "a"], ["-o", "out.yaml", "-MD", "-MF", "a"]):
            with self.subTest(words=words):
                err = self.expect(IO, "compile", *words, "a.yaml").err
                self.assertEqual(f"flexslice: {words[-1]}: too many levels of symbolic links\n", err)
        self.assertTrue((self.folder / "a").is_symlink() and (self.folder / "b").is_symlink())
        self.assertIn("a: too many levels of symbolic links", self.expect(IO, "check", "a").err)

    def test_links_below_the_directory_are_replaced(self):
        for name in ("soft", "hard", "rule"):
            self.write(name, "not yours\n")
        (self.folder / "out/a").mkdir(parents=True)
        os.symlink("../../soft", self.folder / "out/a/plan.json")
        os.symlink("../../nowhere", self.folder / "out/a/verify.sh")
        os.link(self.folder / "hard", self.folder / "out/a/manifests.yaml")
        os.symlink("../rule", self.folder / "out/a.d")
        self.fine("compile", "-MD", "--out-dir", "out", "a.yaml")
        self.assertEqual(["not yours\n"] * 3, [self.read(name) for name in ("soft", "hard", "rule")])
        self.assertFalse((self.folder / "nowhere").exists())
        self.assertEqual([], [path for path in (self.folder / "out").rglob("*") if path.is_symlink()])
        self.fine("compile", "--check", "--out-dir", "out", "a.yaml")

    def test_no_setting_leads_out_of_the_directory(self):
        for word in ("name=../evil", "name=/tmp/evil", "name=..", "name=evil/../../evil"):
            self.expect(FINDINGS, "compile", "--set", word, "--out-dir", "out/in", "a.yaml")
        self.assertEqual(["a.yaml"], self.files())

    def test_pipe_below_the_directory(self):
        (self.folder / "out/a").mkdir(parents=True)
        os.mkfifo(self.folder / "out/a/plan.json")
        self.assertIn("out/a/plan.json: not a regular file", self.expect(IO, "compile", "--out-dir", "out", "a.yaml").err)

    def test_output_is_the_spec(self):
        self.write("out/a/manifests.yaml", spec("a"))
        result = self.expect(IO, "compile", "--out-dir", "out", "out/a/manifests.yaml")
        self.assertIn("out/a/manifests.yaml: is also an input, and would be overwritten", result.err)
        self.assertEqual(spec("a"), self.read("out/a/manifests.yaml"))
        os.symlink("a.yaml", self.folder / "link.yaml")
        os.link(self.folder / "a.yaml", self.folder / "hard.yaml")
        for name in ("./a.yaml", "link.yaml", "hard.yaml"):
            with self.subTest(name=name):
                self.usage("compile", "-o", name, "a.yaml")
        with open(self.folder / "a.yaml", "rb") as file:
            words = [FLEXSLICE, "compile", "-o", "a.yaml", "-"]
            done = subprocess.run(words, cwd=self.folder, stdin=file, stderr=subprocess.PIPE, check=False)
        self.assertEqual(USAGE, done.returncode)
        self.assertEqual(spec("a"), self.read("a.yaml"))


class Prune(BatchCase):
    """Outputs that no spec makes any more: of workloads that are gone, and of artifacts that a workload has no more."""

    def setUp(self):
        super().setUp()
        self.write("specs/a.yaml", spec("a"))
        self.write("specs/b.yaml", spec("b").replace("[us-east5-b]}", "[us-east5-b], model: spot, queue: team}"))
        self.fine("compile", "-MD", "--out-dir", "out", "specs")

    def prune(self, *words):
        return self.fine("compile", "--prune", "--out-dir", "out", *words).err

    def test_a_workload_that_is_gone(self):
        (self.folder / "specs/b.yaml").unlink()
        result = self.expect(FINDINGS, "compile", "--check", "--out-dir", "out", "specs")
        self.assertEqual(8, result.out.count(": no longer made\n"), "a name says enough of a whole file")
        shown = self.expect(FINDINGS, "compile", "--check", "--diff", "--out-dir", "out", "specs")
        self.assertEqual(8, shown.out.count("+++ /dev/null\n"))
        self.assertIn("8 files no longer made\nto update: flexslice compile --prune --out-dir=out specs\n", result.err)
        self.assertIn("out: 8 files deleted, 7 files unchanged\n", self.prune("--forget", "specs"))
        self.assertEqual(["a", "a.d"], sorted(path.name for path in (self.folder / "out").iterdir()))
        self.fine("compile", "--check", "--out-dir", "out", "specs")

    def test_what_was_created_is_not_forgotten(self):
        """Only cleanup.sh of a workload that is gone knows its node pool, which is billed."""
        (self.folder / "specs/b.yaml").unlink()
        message = "out/b: its spec is gone, and it created node pool b-pool of cluster research in us-east5: run its cleanup.sh"
        self.assertIn(message, self.expect(FINDINGS, "compile", "--check", "--out-dir", "out", "specs").err)
        before = self.files()
        self.assertIn(message, self.expect(FINDINGS, "compile", "--prune", "--out-dir", "out", "specs").err)
        self.assertEqual(before, self.files())
        self.prune("--forget", "specs")
        self.assertFalse((self.folder / "out/b").exists())
        self.assertIn("--forget goes with --prune", self.usage("compile", "--forget", "--out-dir", "out", "specs"))

    def test_without_anything_created(self):
        self.write("specs/b.yaml", spec("b").replace("[us-east5-b]}", "[us-east5-b], create: false}"))
        self.fine("compile", "--out-dir", "out", "specs")
        (self.folder / "specs/b.yaml").unlink()
        self.prune("specs")
        self.assertFalse((self.folder / "out/b/plan.json").exists())

    def test_only_with_directories(self):
        """Files that are named are not all that there are."""
        before = self.files()
        self.fine("compile", "--check", "--out-dir", "out", "specs/a.yaml")
        self.prune("specs/a.yaml")
        self.assertEqual(before, self.files())

    def test_an_artifact_that_is_gone(self):
        self.write("specs/b.yaml", spec("b"))
        self.expect(FINDINGS, "compile", "--check", "--out-dir", "out", "specs")
        self.assertIn("1 file deleted", self.prune("specs/b.yaml"))
        self.assertFalse((self.folder / "out/b/queues.yaml").exists())

    def test_never_what_is_not_ours(self):
        self.write("out/notes/manifests.yaml", "kind: Secret\n")
        self.write("out/b/notes.txt", "mine\n")
        self.write("out/b/verify.sh", "#!/bin/sh\n# mine\n")
        self.write("out/b.d", "mine: too\n")
        (self.folder / "elsewhere").mkdir()
        (self.folder / "out/a").rename(self.folder / "elsewhere/a")
        os.symlink("../elsewhere/a", self.folder / "out/link")
        (self.folder / "specs/b.yaml").unlink()
        err = self.prune("--forget", "specs")
        self.assertIn("out/b/verify.sh: not deleted, because it has no header of flexslice\n", err)
        self.assertEqual(["out/b.d", "out/b/notes.txt", "out/b/verify.sh", "out/notes/manifests.yaml"],
                         [name for name in self.files() if name.startswith(("out/b", "out/n"))])
        self.assertEqual(7, len(list((self.folder / "elsewhere/a").iterdir())))

    def test_not_with_errors(self):
        (self.folder / "specs/b.yaml").unlink()
        self.write("specs/c.yaml", spec("c", topology="4x6"))
        self.expect(FINDINGS, "compile", "--prune", "--out-dir", "out", "specs")
        self.assertTrue((self.folder / "out/b/manifests.yaml").exists())

    def test_without_comments_only_the_plan_is_known(self):
        self.fine("compile", "--no-comments", "--out-dir", "out", "specs")
        (self.folder / "specs/b.yaml").unlink()
        self.assertIn("out/b/manifests.yaml: not deleted", self.prune("--forget", "specs"))
        self.assertFalse((self.folder / "out/b/plan.json").exists())

    def test_where_it_has_no_meaning(self):
        for words in ([], ["-o", "x.yaml"], ["--out-dir", "out", "--check"]):
            self.assertIn("--prune deletes", self.usage("compile", "--prune", *words, "specs"))


class Replaced(BatchCase):
    """A plan that is replaced is the last that knows what it created."""

    def setUp(self):
        super().setUp()
        self.write("a.yaml", spec("a"))
        self.fine("compile", "--out-dir", "out", "a.yaml")

    def changed(self, old, new):
        self.write("a.yaml", spec("a").replace(old, new))
        return self.fine("compile", "--out-dir", "out", "a.yaml").err

    def test_another_pool(self):
        err = self.changed("[us-east5-b]}", "[us-east5-b], nodePool: other}")
        self.assertIn("out/a/plan.json: warning: the plan before created node pool a-pool of cluster research in us-east5", err)
        self.assertRegex(err, "\n +gcloud container node-pools delete a-pool --cluster=research --location=us-east5\n")
        self.assertEqual(1, err.count("`flexslice diff OLD NEW` says"))
        self.assertNotIn("warning", self.fine("compile", "--out-dir", "out", "a.yaml").err)

    def test_another_cluster(self):
        self.assertIn("delete a-pool --cluster=research ", self.changed("name: research", "name: other"))

    def test_the_same_pool(self):
        self.assertNotIn("warning", self.changed("name: a\n", "name: a\nlabels: {team: a}\n"))

    def test_a_plan_of_somebody_else(self):
        self.write("out/a/plan.json", "{}\n")
        self.assertNotIn("warning", self.fine("compile", "--out-dir", "out", "a.yaml").err)


class Summary(BatchCase):
    def test_what_was_written(self):
        self.write("a.yaml", spec("a"))
        self.assertEqual("out: 7 files written\n", self.fine("compile", "--out-dir", "out", "a.yaml").err)
        self.assertEqual("out: 7 files unchanged\n", self.fine("compile", "--out-dir", "out", "a.yaml").err)
        (self.folder / "out/a/plan.json").unlink()
        self.assertEqual("out: 1 file written, 6 files unchanged\n", self.fine("compile", "--out-dir", "out", "a.yaml").err)
        self.assertEqual("", self.fine("compile", "-o", "out.yaml", "a.yaml").err)
        self.assertEqual("[\n]\n", self.fine("compile", "--format", "json", "--out-dir", "out", "a.yaml").err)


class Check(BatchCase):
    """What --check shows can be applied."""

    def setUp(self):
        super().setUp()
        self.write("a.yaml", spec("a"))
        self.write("b.yaml", spec("b"))
        self.fine("compile", "--out-dir", "out", "a.yaml", "b.yaml")

    def check(self, status=FINDINGS):
        return self.expect(status, "compile", "--check", "--diff", "-MD", "--out-dir", "out", "a.yaml", "b.yaml")

    def test_patch(self):
        self.write("out/a/plan.json", self.read("out/a/plan.json").replace("v6e", "v5e") + "more\n")
        (self.folder / "out/b/verify.sh").unlink()
        self.write("out/b/queues.yaml", "old: true\n")
        self.write("out/b/notes.txt", "the user's own\n")
        before = {name: (self.folder / name).stat().st_mtime_ns for name in self.files()}
        result = self.check()
        self.assertEqual(before, {name: (self.folder / name).stat().st_mtime_ns for name in self.files()})
        self.assertEqual("1 file not current, 1 file missing, 1 file no longer made\n"
                         "to update: flexslice compile --prune -MD --out-dir=out a.yaml b.yaml\n2 specs fine, 0 with errors\n", result.err)
        done = subprocess.run(["git", "apply", "--unsafe-paths", "-p0", "--directory", str(self.folder), "-"], input=result.out, cwd="/",
                              text=True, capture_output=True, check=False)
        self.assertEqual(0, done.returncode, done.stderr)
        self.check(FINE)
        self.assertFalse((self.folder / "out/b/queues.yaml").exists())
        self.assertEqual("the user's own\n", self.read("out/b/notes.txt"))

    def test_one_file(self):
        self.fine("compile", "-o", "all.yaml", "a.yaml", "b.yaml")
        self.fine("compile", "--check", "-o", "all.yaml", "a.yaml", "b.yaml")
        self.expect(FINDINGS, "compile", "--check", "-o", "all.yaml", "b.yaml", "a.yaml")
        missing = self.expect(FINDINGS, "compile", "--check", "-o", "missing.yaml", "a.yaml")
        self.assertEqual("missing.yaml: missing\n", missing.out)
        self.assertFalse((self.folder / "missing.yaml").exists())

    def test_link_in_place_of_a_file(self):
        (self.folder / "out/a/plan.json").rename(self.folder / "plan.json")
        os.symlink("../../plan.json", self.folder / "out/a/plan.json")
        self.check()


if __name__ == "__main__":
    unittest.main()
