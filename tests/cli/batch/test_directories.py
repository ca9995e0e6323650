"""Directories on the command line, and files that are no specs."""
import os
import unittest

from running import FINDINGS, IO, BatchCase, spec


class Directories(BatchCase):
    def names(self, *arguments, status=FINDINGS):
        """The files that are looked at: each has a mistake."""
        result = self.expect(status, "check", "--format", "short", *arguments)
        return [line.split(":")[0] for line in result.out.splitlines()]

    def bad(self, *names):
        return [self.write(name, spec(topology="4x6")) for name in names]

    def test_sorted_by_path(self):
        self.bad("d/b.yaml", "d/a/z.yml", "d/a.yaml", "d/a/1.json", "d/c/d/e.yaml", "d/B.yaml", "d/a-b.yaml")
        wanted = ["d/B.yaml", "d/a-b.yaml", "d/a.yaml", "d/a/1.json", "d/a/z.yml", "d/b.yaml", "d/c/d/e.yaml"]
        self.assertEqual(wanted, self.names("d"))
        self.assertEqual(wanted, self.names("d/"))

    def test_in_the_order_of_the_command_line(self):
        self.bad("x/1.yaml", "y/1.yaml", "z.yaml")
        self.assertEqual(["z.yaml", "y/1.yaml", "x/1.yaml"], self.names("z.yaml", "y", "x"))

    def test_only_what_looks_like_a_spec(self):
        self.bad("d/spec.yaml", "d/spec.txt", "d/spec.yaml.bak", "d/.hidden.yaml", "d/.git/x.yaml", "d/deep/.y/x.yaml")
        self.write("d/service.yaml", "apiVersion: v1\nkind: Service\n# see flexslice/v1\n")
        self.write("d/empty.yaml", "")
        self.write("d/plan.json", self.fine("compile", "--emit", "plan", "-", stdin=spec()).out)
        self.write("d/manifests.yaml", self.fine("compile", "-", stdin=spec()).out)
        os.mkfifo(self.folder / "d/pipe.yaml")
        os.symlink("nowhere", self.folder / "d/other.txt")
        self.assertEqual(["d/spec.yaml"], self.names("d"))

    def test_ways_to_write_the_version(self):
        lines = ['apiVersion: "flexslice/v1"', "'apiVersion':   'flexslice/v1'  # x", '{"apiVersion":"flexslice/v1"}',
                 "apiversion: flexslice/v1", "apiVersion: flexslice/v9", "\ufeffapiVersion: flexslice/v1\r"]
        for i, line in enumerate(lines):
            self.write(f"d/{i}.yaml", line + "\n")
        self.write("d/late.yaml", "#\n" * 40000 + "apiVersion: flexslice/v1\n")
        self.write("d/across.yaml", "#" * (65536 - 15) + "\napiVersion: flexslice/v1\n")
        names = sorted(set(self.names("d")))
        self.assertEqual(sorted(["d/across.yaml", "d/late.yaml"] + [f"d/{i}.yaml" for i in range(6)]), names)

    def test_none_in_it(self):
        self.write("d/other.yaml", "a: 1\n")
        result = self.expect(IO, "check", "d")
        self.assertIn("d: no file in this directory has a line `apiVersion: flexslice/v1`", result.err)

    def test_links(self):
        self.bad("real/a.yaml", "d/own.yaml")
        os.symlink("../real", self.folder / "d/linked")
        os.symlink("..", self.folder / "d/up")
        os.symlink("../real/a.yaml", self.folder / "d/file.yaml")
        os.symlink("../real", self.folder / "d/directory.yaml")
        self.assertEqual(["d/file.yaml", "d/own.yaml"], self.names("d"))
        self.assertEqual(["d/linked/a.yaml"], self.names("d/linked"), "named, it is followed")

    def test_what_cannot_be_read_is_told(self):
        self.bad("d/a.yaml")
        os.symlink("nowhere", self.folder / "d/b.yaml")
        result = self.expect(IO, "check", "--format", "short", "d")
        self.assertIn("flexslice: d/b.yaml: no such file or directory", result.err)
        self.assertIn("d/a.yaml:", result.out)

    def test_what_may_not_be_read_is_told(self):
        self.bad("d/a.yaml", "d/locked/b.yaml", "d/own.yaml")
        user = self.without_rights()
        os.chmod(self.folder / "d/own.yaml", 0)
        os.chmod(self.folder / "d/locked", 0)
        self.addCleanup(os.chmod, self.folder / "d/locked", 0o755)
        result = self.expect(IO, "check", "--format", "short", "d", **user)
        self.assertIn("flexslice: d/locked: permission denied\n", result.err)
        self.assertIn("flexslice: d/own.yaml: permission denied\n", result.err)
        self.assertEqual(1, result.out.count("d/a.yaml:"))
        for words in (["d/own.yaml"], ["d/locked"], ["--templates", "d/locked", "d/a.yaml"], ["--defaults", "d/own.yaml", "d/a.yaml"]):
            err = self.expect(IO, "compile", *words, **user).err
            self.assertRegex(err, r"\Aflexslice: d/(own.yaml|locked): permission denied\n\Z")
        self.assertIn("d: permission denied", self.expect(IO, "compile", "--templates", "d", "d/a.yaml", **user).err)

    def test_compile(self):
        self.write("d/a.yaml", spec("a"))
        self.write("d/b/b.yaml", spec("b"))
        for _ in range(2):  # what it has made is not taken for specs
            self.assertIn("2 specs fine", self.fine("compile", "--out-dir", "d/out", "d").err)


class OnlySpecs(BatchCase):
    def test_others_are_passed_over(self):
        self.write("spec.yaml", spec(topology="4x6"))
        self.write("other.yaml", "a: [\n")
        self.expect(FINDINGS, "check", "other.yaml")
        result = self.fine("check", "--only-specs", "other.yaml")
        self.assertEqual(("", "0 specs fine, 1 file without `apiVersion: flexslice/v1` skipped\n"), (result.out, result.err))
        self.assertEqual(1, self.expect(FINDINGS, "check", "--only-specs", "--format", "short", "other.yaml", "spec.yaml").out.count("\n"))

    def test_defaults_are_no_specs(self):
        """Also where they look like one, in a directory or among the files of a hook."""
        self.write("d/cluster.yaml", "apiVersion: flexslice/v1\ncluster: {name: research, location: us-east5}\n")
        self.write("d/a.yaml", spec("a"))
        for words in (["d"], ["--only-specs", "d/a.yaml", "d/cluster.yaml"]):
            self.assertEqual("1 spec fine\n", self.fine("check", "--defaults", "d/cluster.yaml", *words).err)
            self.expect(FINDINGS, "check", *words)

    def test_skipped_ones_are_counted(self):
        self.write("d/a.yaml", spec("a"))
        self.write("d/b.yaml", spec("b"))
        self.write("d/other.yaml", "a: 1\n")
        self.write("d/more.json", "{}\n")
        self.assertEqual("2 specs fine, 0 with errors, 2 files without `apiVersion: flexslice/v1` skipped\n", self.fine("check", "d").err)

    def test_misspelt_is_a_spec_all_the_same(self):
        for version in ("flexslise/v1", '"flexslice/v2"', "FlexSlice/v1", "flexslice"):
            with self.subTest(version=version):
                self.write("spec.yaml", spec().replace("flexslice/v1", version))
                self.expect(FINDINGS, "check", "--only-specs", "spec.yaml")

    def test_what_cannot_be_read_is_told(self):
        self.expect(IO, "check", "--only-specs", "missing.yaml")

    def test_directories_and_stdin(self):
        self.write("d/other.yaml", "a: 1\n")
        self.fine("check", "--only-specs", "d")
        self.expect(FINDINGS, "check", "--only-specs", "-", stdin="a: 1\n")


if __name__ == "__main__":
    unittest.main()
