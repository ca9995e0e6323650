"""Many specs: threads change nothing but the time, memory stays flat, the numbers at the end are right."""
import json
import re
import subprocess
import time
import unittest

from running import FINDINGS, FINE, FLEXSLICE, IO, PATIENCE, USAGE, BatchCase, spec, stream

JOBS = ("1", "2", "3", "16")


class Order(BatchCase):
    """The same bytes from any number of threads."""

    def same(self, *arguments, status, stdin=b""):
        results = [self.expect(status, *arguments, "--jobs", jobs, stdin=stdin) for jobs in JOBS]
        for result in results[1:]:
            self.assertEqual((results[0].out, results[0].err), (result.out, result.err))
        return results[0]

    def test_one_stream(self):
        result = self.same("compile", "--emit", "plan", "-", status=FINDINGS, stdin=stream(300, bad=range(7, 300, 50)))
        names = re.findall(r'"apiVersion": "flexslice-plan/v1",\n +"name": "job-(\d+)"', result.out)
        self.assertEqual([str(i) for i in range(300) if i not in range(7, 300, 50)], names)
        self.assertEqual(6, result.err.count("error[FS3002]"))
        self.assertTrue(result.err.endswith("294 specs fine, 6 with errors\n"))

    def test_many_files(self):
        names = [self.write(f"{i:03}.yaml", spec(f"job-{i}", topology="4x6" if i % 40 == 3 else "2x2")) for i in range(200)]
        names[100:100] = ["missing.yaml", "missing-too.yaml"]
        result = self.same("check", "--format", "json", *names, status=IO)
        self.assertEqual(["003.yaml", "043.yaml", "083.yaml", "123.yaml", "163.yaml"], [each["file"] for each in json.loads(result.out)])
        self.assertEqual("flexslice: missing.yaml: no such file or directory\nflexslice: missing-too.yaml: no such file or directory\n"
                         "195 specs fine, 5 with errors, 2 files not read\n", result.err)

    def test_what_all_have_wrong_is_said_once(self):
        names = [self.write(f"{i}.yaml", spec(f"job-{i}")) for i in range(3)]
        result = self.expect(FINDINGS, "check", "--format", "short", "--set", "tpu.size=3", *names)
        self.assertEqual(1, result.out.count("error"))
        self.assertIn("0 specs fine, 3 with errors", result.err)

    def test_every_format(self):
        self.write("all.yaml", stream(100, bad={3, 50, 97}))
        for form in ("text", "short", "json", "sarif", "github"):
            with self.subTest(form=form):
                self.same("check", "--format", form, "all.yaml", status=FINDINGS)

    def test_fixes(self):
        broken = stream(100).replace("tpu: {", 'tpu: {slices: "1", ')
        result = self.same("check", "--fix", "-", status=FINE, stdin=broken)
        self.assertEqual(broken.replace('"1"', "1"), result.out)

    def test_directory_of_outputs(self):
        self.write("all.yaml", stream(30))
        trees = []
        for jobs in JOBS:
            top = self.folder / f"out{jobs}"
            self.fine("compile", "--jobs", jobs, "--out-dir", top.name, "all.yaml")
            trees.append({path.relative_to(top): path.read_bytes() for path in top.rglob("*") if path.is_file()})
        self.assertEqual(30 * 7, len(trees[0]))
        for tree in trees[1:]:
            self.assertEqual(trees[0], tree)

    def test_two_of_one_name(self):
        self.write("all.yaml", stream(40) + "---\n" + spec("job-7").replace("research", "elsewhere"))
        self.run_flexslice("compile", "--emit", "plan", "--out-dir", "out", "all.yaml")
        result = self.same("compile", "--emit", "plan", "--out-dir", "out", "all.yaml", status=USAGE)
        lines = stream(1).count("\n")
        self.assertIn(f"all.yaml:{40 * lines + 1}: this spec is called `job-7` like the one at all.yaml:{7 * lines + 1}", result.err)


class Summary(BatchCase):
    def test_check_counts(self):
        self.assertEqual("1 spec fine\n", self.fine("check", "-", stdin=spec()).err)
        self.assertEqual("2 specs fine, 0 with errors\n", self.fine("check", "-", stdin=stream(2)).err)
        self.assertEqual("1 spec fine, 1 with errors\n", self.expect(FINDINGS, "check", "-", stdin=stream(2, bad={0})).err)


class Reader(BatchCase):
    def test_that_stops_early_ends_the_work(self):
        """The writer of an endless stream is told at once."""
        process = subprocess.Popen([FLEXSLICE, "compile", "-j2", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, bufsize=0)
        specs = stream(100).encode()
        process.stdin.write(specs)
        process.stdout.read(100)
        process.stdout.close()
        end = time.monotonic() + PATIENCE
        with self.assertRaises(BrokenPipeError):
            while time.monotonic() < end:
                process.stdin.write(specs)
        self.assertRegex(process.stderr.read(), rb"\A\d+ specs fine, 0 with errors\n\Z")
        process.stderr.close()
        process.stdin.close()
        self.assertEqual(FINE, process.wait(PATIENCE))

    def test_full_disk_is_told_once(self):
        self.write("all.yaml", stream(1000))
        with open("/dev/full", "wb") as full:
            result = self.expect(IO, "compile", "all.yaml", stdout=full)
        self.assertEqual(1, result.err.count("flexslice: stdout: no space left on device\n"), result.err)


class Memory(BatchCase):
    def test_flat_in_the_number_of_specs(self):
        self.write("few.yaml", stream(300))
        self.write("many.yaml", stream(4000))
        for words in (["compile", "-j1"], ["compile", "-j2", "-o", "out.yaml"], ["check", "-j2", "--fix"]):
            with self.subTest(words=words):
                few = self.bounded(FINE, *words, "few.yaml", memory=64)
                self.bounded(FINE, *words, "many.yaml", memory=few.memory / 1024 + 1.5)

    def test_files_are_not_kept(self):
        few, many = ([self.write(f"{count}/{i}.yaml", spec(f"job-{i}")) for i in range(count)] for count in (100, 1500))
        self.bounded(FINE, "check", *many, memory=self.bounded(FINE, "check", *few, memory=64).memory / 1024 + 2)


if __name__ == "__main__":
    unittest.main()
