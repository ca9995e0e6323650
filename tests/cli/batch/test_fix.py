"""check --fix mends what is certain and leaves every other byte as it was."""
import os
import stat
import subprocess
import sys
import unittest

from running import FINDINGS, FINE, FLEXSLICE, IO, ROOT, BatchCase, spec

sys.path.insert(0, str(ROOT / "tests/ui"))
import uicases  # noqa: E402

# A whole number in quotes, a string without them, a truth value of another kind: each is certain.
BROKEN = """\
# Mine; do not touch.
apiVersion: flexslice/v1
name:   finetune      # aligned by hand
cluster: {name: research, location: us-east5}
tpu:
    type:     v6e
    topology: 2x2
    slices: "1"   # one
provisioning: {zones: [us-east5-b]}

workload:
  image: us-docker.pkg.dev/acme/train/finetune:2.1
  env:
    DEBUG: true     # a string
    # the seed
    SEED: 42
"""
MENDED = BROKEN.replace('slices: "1"', "slices: 1").replace("DEBUG: true", 'DEBUG: "true"').replace("SEED: 42", 'SEED: "42"')


class Fix(BatchCase):
    def test_comments_and_layout_stay(self):
        self.write("spec.yaml", BROKEN)
        self.expect(FINDINGS, "check", "spec.yaml")
        result = self.fine("check", "--fix", "spec.yaml")
        self.assertEqual(MENDED, self.read("spec.yaml"))
        self.assertEqual(("", "fixed 3 findings in 1 file\n1 spec fine\n"), (result.out, result.err))
        self.assertEqual("1 spec fine\n", self.fine("check", "--fix", "spec.yaml").err)

    def test_line_ends_and_byte_order_mark_stay(self):
        for begin, end in ((b"", b"\r\n"), (b"\xef\xbb\xbf", b"\n"), (b"\xef\xbb\xbf", b"\r\n")):
            with self.subTest(begin=begin, end=end):
                self.write("spec.yaml", begin + BROKEN.encode().replace(b"\n", end))
                self.fine("check", "--fix", "spec.yaml")
                self.assertEqual(begin + MENDED.encode().replace(b"\n", end), (self.folder / "spec.yaml").read_bytes())

    def test_every_document_of_a_file(self):
        between = ["# head\n%YAML 1.2\n---\n", "--- # second\n", "...\n---\n", "---\n# empty\n---\n", "---\r\n"]
        broken = "".join(mark + BROKEN.replace("finetune  ", f"job-{i}  ") for i, mark in enumerate(between))
        mended = "".join(mark + MENDED.replace("finetune  ", f"job-{i}  ") for i, mark in enumerate(between))
        self.write("spec.yaml", broken + "---\n# the end")
        result = self.fine("check", "--fix", "spec.yaml")
        self.assertEqual(mended + "---\n# the end", (self.folder / "spec.yaml").read_bytes().decode())
        self.assertEqual("fixed 15 findings in 1 file\n5 specs fine, 0 with errors\n", result.err)

    def test_what_is_left_is_told_with_its_new_line(self):
        # Each unused suppression that is deleted moves what stands below it up by a line.
        unused = "# flexslice: allow FS3012 - was needed once\n"
        good = spec("good").replace("workload:", unused + "workload:")
        self.write("spec.yaml", f"{good}---\n{good.replace('good', 'well')}---\n" + spec("bad", topology="4x6"))
        result = self.expect(FINDINGS, "check", "--fix", "--format", "short", "spec.yaml")
        self.assertEqual(f"{spec('good')}---\n{spec('well')}---\n" + spec("bad", topology="4x6"), self.read("spec.yaml"))
        line = self.read("spec.yaml").split("\n").index("tpu: {type: v6e, topology: 4x6}") + 1
        self.assertRegex(result.out, rf"\Aspec.yaml:{line}:\d+: error\[FS3002\]")
        self.assertIn("fixed 2 findings in 1 file\n", result.err)

    def test_findings_that_are_allowed_are_not_fixed(self):
        text = spec().replace("workload:", "# flexslice: allow FS3012 - was needed once\nworkload:")
        self.write("spec.yaml", text)
        self.fine("check", "--fix", "--allow", "FS2091", "spec.yaml")
        self.assertEqual(text, self.read("spec.yaml"))

    def test_nothing_to_fix_leaves_the_file_alone(self):
        for text in (spec(), spec(topology="4x6"), "", "a: [\n", "\xff", "---\n---\n"):
            with self.subTest(text=text):
                self.write("spec.yaml", text.encode("latin-1"))
                before = (self.folder / "spec.yaml").stat()
                self.run_flexslice("check", "--fix", "spec.yaml")
                after = (self.folder / "spec.yaml").stat()
                self.assertEqual((before.st_ino, before.st_mtime_ns), (after.st_ino, after.st_mtime_ns))
                self.assertEqual(["spec.yaml"], self.files())

    def test_every_fix_of_the_ui_cases_leads_somewhere(self):
        """Fixing what was fixed fixes nothing more, and no fix makes a spec unreadable."""
        texts = {path: uicases.whole(path.read_bytes()) for path in sorted(uicases.CASES.rglob("*.yaml"))}
        cases = {path: text for path, text in texts.items() if b"apiVersion: flexslice/" in text}
        self.assertGreater(len(cases), 30)
        fixed = 0
        for path, text in cases.items():
            with self.subTest(path=path.name):
                self.write("spec.yaml", text)
                first = self.run_flexslice("check", "--fix", "--format", "short", "spec.yaml")
                self.assertIn(first.status, (FINE, FINDINGS), first)
                if "fixed " not in first.err:
                    self.assertEqual(text, (self.folder / "spec.yaml").read_bytes())
                    continue
                if "FS10" in first.out:
                    self.write("before.yaml", text)
                    self.assertIn("FS10", self.run_flexslice("check", "--format", "short", "before.yaml").out, first)
                fixed += 1
                text = (self.folder / "spec.yaml").read_bytes()
                second = self.run_flexslice("check", "--fix", "--format", "short", "spec.yaml")
                self.assertNotIn("fixed ", second.err)
                self.assertEqual((text, first.out), ((self.folder / "spec.yaml").read_bytes(), second.out))
        self.assertGreater(fixed, 3)

    def test_stdin_goes_to_stdout(self):
        result = self.fine("check", "--fix", "-", stdin=BROKEN)
        self.assertEqual((MENDED, "fixed 3 findings in 1 file\n1 spec fine\n"), (result.out, result.err))
        result = self.expect(FINDINGS, "check", "--fix", "-", stdin=spec(topology="4x6"))
        self.assertEqual(spec(topology="4x6"), result.out)
        self.assertIn("error[FS3002]", result.err)

    def test_a_link_stays_a_link(self):
        self.write("real/spec.yaml", BROKEN)
        os.symlink("real/spec.yaml", self.folder / "link.yaml")
        os.symlink("link.yaml", self.folder / "twice.yaml")
        self.fine("check", "--fix", "twice.yaml")
        self.assertEqual(MENDED, self.read("real/spec.yaml"))
        self.assertTrue((self.folder / "twice.yaml").is_symlink() and (self.folder / "link.yaml").is_symlink())
        self.assertFalse((self.folder / "real/spec.yaml").is_symlink())

    def test_mode_and_owner_stay(self):
        self.write("spec.yaml", BROKEN)
        os.chmod(self.folder / "spec.yaml", 0o640)
        if os.getuid() == 0:
            os.chown(self.folder / "spec.yaml", 12345, 23456)
        before = (self.folder / "spec.yaml").stat()
        self.fine("check", "--fix", "spec.yaml", umask=0)
        after = (self.folder / "spec.yaml").stat()
        self.assertEqual((0o640, before.st_uid, before.st_gid), (stat.S_IMODE(after.st_mode), after.st_uid, after.st_gid))
        self.assertEqual(MENDED, self.read("spec.yaml"))

    def test_read_only(self):
        self.write("spec.yaml", BROKEN)
        self.write("other.yaml", BROKEN.replace("finetune  ", "other  "))
        os.chmod(self.folder / "spec.yaml", 0o444)
        result = self.expect(IO, "check", "--fix", "--format", "short", "spec.yaml", "other.yaml")
        self.assertEqual(BROKEN, self.read("spec.yaml"))
        self.assertIn("flexslice: spec.yaml: read-only; not fixed\n", result.err)
        self.assertEqual(3, result.out.count("spec.yaml:"), "its findings are told all the same")
        self.assertIn("fixed 3 findings in 1 file\n", result.err)
        # Where there is nothing to mend, nothing is wrong.
        self.write("good.yaml", spec())
        os.chmod(self.folder / "good.yaml", 0o444)
        self.fine("check", "--fix", "good.yaml")

    def test_folder_without_leave_to_write(self):
        self.write("house/spec.yaml", BROKEN)
        user = self.without_rights()
        os.chmod(self.folder / "house", 0o555)
        self.addCleanup(os.chmod, self.folder / "house", 0o755)
        self.assertIn("house/spec.yaml: permission denied", self.expect(IO, "check", "--fix", "house/spec.yaml", **user).err)
        self.assertEqual(BROKEN, self.read("house/spec.yaml"))

    def test_diff(self):
        self.write("spec.yaml", BROKEN + "---\n" + spec("bad", topology="4x6"))
        before = self.read("spec.yaml")
        result = self.expect(FINDINGS, "check", "--diff", "--format", "short", "spec.yaml")
        self.assertEqual(before, self.read("spec.yaml"))
        self.assertRegex(result.err, r"\Aspec.yaml:\d+:\d+: error\[FS3002\].*\nwould fix 3 findings in 1 file\n")
        done = subprocess.run(["patch", "-p0"], input=result.out, cwd=self.folder, text=True, capture_output=True, check=False)
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual(MENDED + "---\n" + spec("bad", topology="4x6"), self.read("spec.yaml"))
        self.assertEqual("", self.expect(FINDINGS, "check", "--diff", "spec.yaml").out)

    def test_diff_of_what_cannot_be_written(self):
        self.write("spec.yaml", BROKEN)
        os.chmod(self.folder / "spec.yaml", 0o444)
        self.assertIn("\n-    slices: ", self.expect(FINDINGS, "check", "--diff", "spec.yaml").out)
        result = self.expect(FINDINGS, "check", "--diff", "-", stdin=BROKEN)
        self.assertTrue(result.out.startswith("--- <stdin>\n+++ <stdin>\n"), result.out)
        result = self.fine("check", "--diff", "-", stdin=MENDED)
        self.assertEqual(("", "1 spec fine\n"), (result.out, result.err))

    def test_what_is_certain(self):
        for old, new in (("type: v6e", "type: trillium"), ("zones: [us-east5-b]", "zones: us-east5-b"),
                         ("zones: [us-east5-a, us-east5-b]", 'zones: "us-east5-a,us-east5-b"'), ("location:", "region:"),
                         ("location: us-east5", "location: us-east5, mode: Standard"), ("zones: [us-east5-b]", "nodeLocations: us-east5-b"),
                         ("args: [train]", "args: train")):
            with self.subTest(new=new):
                good = spec() + "  args: [train]\n"
                good = good.replace("zones: [us-east5-b]", old) if old.startswith("zones") else good
                self.write("spec.yaml", good.replace(old, new))
                self.run_flexslice("check", "--fix", "spec.yaml")
                wanted = good.replace("us-east5}", "us-east5, mode: standard}") if "Standard" in new else good
                self.assertEqual(wanted, self.read("spec.yaml"))

    def test_what_is_a_guess_stays(self):
        for text in ("args: a,b", "args: python train.py", "args: -c", "ports: 8476.5", "env: {A: {secret: s}}\n  service_account: a\n  serviceAccount: b"):
            with self.subTest(text=text):
                self.write("spec.yaml", spec() + f"  {text}\n")
                before = self.read("spec.yaml")
                self.run_flexslice("check", "--fix", "spec.yaml")
                self.assertEqual(before, self.read("spec.yaml"))

    def test_a_pipe_cannot_be_fixed(self):
        os.mkfifo(self.folder / "pipe.yaml")
        if os.fork() == 0:
            with open(self.folder / "pipe.yaml", "w") as pipe:
                pipe.write(BROKEN)
            os._exit(0)
        self.assertIn("pipe.yaml: not a regular file; not fixed", self.expect(IO, "check", "--fix", "pipe.yaml").err)
        os.wait()

    def test_changed_by_somebody_else_meanwhile(self):
        self.write("spec.yaml", BROKEN)
        os.utime(self.folder / "spec.yaml", (1000, 1000))
        os.mkfifo(self.folder / "pipe.yaml")
        process = subprocess.Popen([FLEXSLICE, "check", "--fix", "spec.yaml", "pipe.yaml"], cwd=self.folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        # It opens the pipe once it has read the spec, and waits there for what is written.
        with open(self.folder / "pipe.yaml", "w") as pipe:
            self.write("spec.yaml", BROKEN + "# mine\n")
            pipe.write(spec())
        err = process.communicate()[1]
        self.assertEqual(IO, process.returncode, err)
        self.assertIn("spec.yaml: changed on disk; not fixed\n", err)
        self.assertEqual(BROKEN + "# mine\n", self.read("spec.yaml"))
        self.assertEqual(["pipe.yaml", "spec.yaml"], self.files())


if __name__ == "__main__":
    unittest.main()
