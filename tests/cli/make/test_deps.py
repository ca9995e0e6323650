"""Dep files: what they say, and when an output gets a new time."""
import shutil
import unittest

from making import EARLIER, LATER, ROOT, MakeCase, spec


class DepFiles(MakeCase):
    def setUp(self):
        super().setUp()
        self.write("a.yaml", spec("a"))
        self.write("b.yaml", spec("b"))
        self.write("shared.yaml", "labels: {team: vision}\n")

    def test_a_queue_depends_on_all_its_specs(self):
        for name in "ab":
            self.write(f"{name}.yaml", spec(name).replace("[us-east5-b]}", "[us-east5-b], model: spot, queue: team-a}"))
        self.compile("-MD", "--out-dir", "build", "--emit", "manifests,queues", "a.yaml", "b.yaml")
        self.assertEqual("build/b/manifests.yaml: \\\n  b.yaml\nbuild/b/queues.yaml: \\\n  a.yaml \\\n  b.yaml\n\na.yaml:\n", self.read("build/b.d"))
        self.compile("-MF", "all.d", "--out-dir", "build", "--emit", "queues", "a.yaml", "b.yaml")
        rule = "build/{}/queues.yaml: \\\n  a.yaml \\\n  b.yaml\n"
        self.assertEqual(rule.format("a") + rule.format("b") + "\na.yaml:\n\nb.yaml:\n", self.read("all.d"))

    def test_beside_the_output_as_gcc_has_it(self):
        for output, dep in {"x.yaml": "x.d", "a.b.yaml": "a.b.d", "out": "out.d", "d.ir/out": "d.ir/out.d"}.items():
            with self.subTest(output=output):
                (self.folder / "d.ir").mkdir(exist_ok=True)
                self.compile("-MD", "-o", output, "a.yaml")
                self.assertEqual(f"{output}: \\\n  a.yaml\n", self.read(dep))

    def test_named(self):
        for words in (["-MD", "-MF", "deps"], ["-MF", "deps"], ["-MFdeps"], ["--MF=deps"]):
            with self.subTest(words=words):
                (self.folder / "deps").unlink(missing_ok=True)
                self.compile(*words, "-o", "out.yaml", "a.yaml")
                self.assertEqual("out.yaml: \\\n  a.yaml\n", self.read("deps"))
                self.assertFalse((self.folder / "out.d").exists())

    def test_to_stdout(self):
        self.assertEqual("out.yaml: \\\n  a.yaml\n", self.compile("-MF", "-", "-o", "out.yaml", "a.yaml").stdout)

    def test_everything_it_was_made_from(self):
        (self.folder / "house/kubernetes").mkdir(parents=True)
        shutil.copy(ROOT / "templates/kubernetes/service.yaml", self.folder / "house/kubernetes/service.yaml")
        self.write("facts.yaml", "")
        self.compile("-MD", "-o", "out.yaml", "--defaults", "shared.yaml", "--catalog", "facts.yaml", "--templates", "house", "a.yaml")
        rule, *phony = self.read("out.d").split("\n\n")
        wanted = ["shared.yaml", "facts.yaml", "house", "house/kubernetes", "house/kubernetes/service.yaml"]
        self.assertEqual("out.yaml: \\\n  " + " \\\n  ".join(["a.yaml", *wanted]), rule)
        # The spec itself is not among them: without it there is nothing to make.
        self.assertEqual(sorted(f"{name}:" for name in wanted), sorted(each.strip() for each in phony))

    def test_several_specs_in_one_output(self):
        self.compile("-MD", "-o", "all.yaml", "a.yaml", "b.yaml")
        self.assertEqual("all.yaml: \\\n  a.yaml \\\n  b.yaml\n\na.yaml:\n\nb.yaml:\n", self.read("all.d"))

    def test_one_for_each_workload(self):
        self.compile("-MD", "--out-dir", "build", "--emit", "manifests,verify", "--defaults", "shared.yaml", "a.yaml", "b.yaml")
        for name in "ab":
            self.assertEqual(f"build/{name}/manifests.yaml build/{name}/verify.sh: \\\n  {name}.yaml \\\n  shared.yaml\n\nshared.yaml:\n",
                             self.read(f"build/{name}.d"))
        self.assertEqual(["manifests.yaml", "verify.sh"], sorted(path.name for path in (self.folder / "build/a").iterdir()))

    def test_one_for_all_workloads(self):
        self.compile("-MF", "all.d", "--out-dir", "build", "--emit", "plan", "--defaults", "shared.yaml", "a.yaml", "b.yaml")
        self.assertEqual("build/a/plan.json: \\\n  a.yaml \\\n  shared.yaml\nbuild/b/plan.json: \\\n  b.yaml \\\n  shared.yaml\n\nshared.yaml:\n",
                         self.read("all.d"))

    def test_not_when_there_are_errors(self):
        self.write("a.yaml", spec("a", topology="4x6"))
        self.compile("-MD", "-o", "out.yaml", "a.yaml", status=1)
        self.assertEqual(["a.yaml", "b.yaml", "shared.yaml"], self.files())

    def test_stdin_is_no_prerequisite(self):
        self.fine("compile", "-MD", "-o", "out.yaml", "--defaults", "shared.yaml", "-", stdin=spec())
        self.assertEqual("out.yaml: \\\n  shared.yaml\n\nshared.yaml:\n", self.read("out.d"))

    def test_needs_an_output(self):
        self.assertIn("-o FILE or --out-dir DIR", self.usage("compile", "-MD", "a.yaml"))
        self.assertIn("-o FILE or --out-dir DIR", self.usage("compile", "-MF", "x.d", "a.yaml"))

    def test_never_over_an_input(self):
        for words in (["-MF", "a.yaml", "-o", "out.yaml"], ["-MF", "shared.yaml", "-o", "out.yaml", "--defaults", "shared.yaml"],
                      ["-MF", "out.yaml", "-o", "out.yaml"], ["-o", "a.yaml"]):
            with self.subTest(words=words):
                self.usage("compile", *words, "a.yaml")
        self.assertEqual(spec("a"), self.read("a.yaml"))


class Times(MakeCase):
    """An output whose bytes stay the same keeps its time, unless make would find it old for ever."""

    def setUp(self):
        super().setUp()
        self.write("a.yaml", spec("a"))
        self.compile("-MD", "-o", "out.yaml", "a.yaml")
        self.compile("-MD", "--out-dir", "build", "a.yaml")
        self.outputs = ["out.yaml", "build/a/manifests.yaml", "build/a/provision.sh", "build/a/plan.json"]

    def again(self, *options, environment=None):
        for output in (["-o", "out.yaml"], ["--out-dir", "build"]):
            self.fine("compile", *options, *output, "a.yaml", environment={"MAKELEVEL": "", **(environment or {})} if environment else None)

    def test_newer_than_what_it_was_made_from(self):
        # Newer than the program, too.
        before = {name: self.time(name) for name in self.outputs}
        self.again("-MD")
        self.assertEqual(before, {name: self.time(name) for name in self.outputs})

    def test_older_than_the_spec(self):
        for name in self.outputs:
            self.set_time(name, EARLIER)
        self.set_time("a.yaml", LATER)
        self.again()
        self.assertEqual({EARLIER * 10**9}, {self.time(name) for name in self.outputs}, "without -MD")
        self.again("-MD")
        for name in self.outputs:
            self.assertGreater(self.time(name), LATER * 10**9, name)

    def test_run_by_make(self):
        """make may know of a prerequisite that we do not."""
        self.write("Makefile", "all: out.yaml\nout.yaml: a.yaml Makefile\n\tflexslice compile -MD -o $@ $<\n")
        self.set_time("a.yaml", EARLIER)
        self.set_time("out.yaml", LATER)
        self.assertIn("flexslice", self.make())
        self.assertIn("Nothing to be done", self.make())


if __name__ == "__main__":
    unittest.main()
