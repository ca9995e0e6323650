"""Specs of one run that contradict each other: the later one is an error everywhere, and points at the earlier one."""
import json
import unittest

from running import FINDINGS, BatchCase, spec

JOBS = ("1", "2", "16")


def pool(name, shape, node_pool="shared"):
    return spec(name, topology=shape).replace("[us-east5-b]}", f"[us-east5-b], nodePool: {node_pool}}}")


class Conflicts(BatchCase):
    def setUp(self):
        super().setUp()
        self.write("d/a.yaml", spec("train"))
        self.write("d/b.yaml", spec("other"))
        self.write("d/c.yaml", "# again\n" + spec("train", topology="4x4"))
        self.write("d/e.yaml", spec("last"))

    def found(self, *arguments, status=FINDINGS):
        return [(each["file"], each["line"], each["code"], [(near["file"], near["line"]) for near in each["related"]])
                for each in json.loads(self.expect(status, "check", "--format", "json", *arguments).out)]

    def test_between_files(self):
        for jobs in JOBS:
            self.assertEqual([("d/c.yaml", 3, "FS4100", [("d/a.yaml", 2)])], self.found("--jobs", jobs, "d"))

    def test_between_documents(self):
        specs = spec("train") + "---\n" + spec("other") + "---\n" + spec("train")
        for jobs in JOBS:
            result = self.expect(FINDINGS, "check", "--jobs", jobs, "--format", "short", "-", stdin=specs)
            self.assertEqual("<stdin>:18:7: error[FS4100]: duplicate Job `train`\n", result.out)
        self.assertIn("note: <stdin>:2:7: Job `train` is first defined here", self.expect(FINDINGS, "check", "-", stdin=specs).out)

    def test_every_output_is_alike(self):
        message = self.expect(FINDINGS, "check", "d").out
        for words in ([], ["-o", "out.yaml"], ["--out-dir", "out"]):
            self.assertIn(message, self.expect(FINDINGS, "compile", *words, "d").err)
        self.assertFalse((self.folder / "out.yaml").exists())
        self.assertEqual(self.fine("compile", "d/a.yaml").out, self.read("out/train/manifests.yaml"), "the first one stays")
        self.assertTrue((self.folder / "out/last").exists())

    def test_a_stream_ends_there(self):
        specs = "---\n".join(self.read(f"d/{name}.yaml") for name in "abce")
        wanted = self.fine("compile", "-", stdin=spec("train") + "---\n" + spec("other")).out
        for jobs in JOBS:
            result = self.expect(FINDINGS, "compile", "--jobs", jobs, "-", stdin=specs)
            self.assertEqual(wanted, result.out)
            self.assertTrue(result.err.endswith("2 specs fine, 1 with errors, the rest not compiled\n"), result.err)

    def test_one_file_named_twice(self):
        self.assertIn("help: `d/a.yaml` is compiled twice: name it once", self.expect(FINDINGS, "check", "d/a.yaml", "d/a.yaml").out)

    def test_what_makes_it_another_object(self):
        for old, new in (("cluster: {name: research", "cluster: {name: other"), ("location: us-east5", "location: us-east5-b"),
                         ("location: us-east5", "location: us-east5, project: mine"), ("[us-east5-b]}", "[us-east5-b], nodePool: other}\nnamespace: other")):
            with self.subTest(new=new):
                self.write("x.yaml", spec("train").replace(old, new))
                self.fine("check", "d/a.yaml", "x.yaml")

    def test_names_from_other_layers(self):
        """Without a name of its own, a spec is pointed at where it begins."""
        self.write("x.yaml", "# no name\n" + spec().replace("name: finetune\n", ""))
        self.write("y.yaml", spec().replace("name: finetune\n", ""))
        self.assertEqual([("y.yaml", 1, "FS4100", [("x.yaml", 1)])], self.found("--set", "name=same", "x.yaml", "y.yaml"))

    def test_one_pool(self):
        for name, text in (("a", pool("a", "2x2")), ("same", pool("same", "2x2")), ("other", pool("other", "2x4") + "---\n" + pool("more", "2x2").replace("zones: [us-east5-b]", "create: false, model: flex-start")),
                           ("spot", pool("spot", "2x2").replace("nodePool", "model: spot, nodePool"))):
            self.write(f"{name}.yaml", text.replace("topology: 2x4", "topology: 2x4, machineType: ct6e-standard-8t"))
        self.assertEqual([("same.yaml", 5, "FS4102", [("a.yaml", 5)])], self.found("a.yaml", "same.yaml"))
        self.write("same.yaml", pool("same", "2x2").replace("zones: [us-east5-b]", "create: false, model: flex-start"))
        for order in (["a.yaml", "same.yaml"], ["same.yaml", "a.yaml"]):
            self.fine("check", *order)
        self.assertEqual([("other.yaml", 5, "FS4101", [("a.yaml", 5)])], self.found("a.yaml", "other.yaml"))
        self.assertEqual([("spot.yaml", 5, "FS4101", [("a.yaml", 5)])], self.found("a.yaml", "spot.yaml"))

    def test_a_spec_with_errors_defines_nothing(self):
        self.write("bad.yaml", spec("train", topology="4x6"))
        self.assertEqual([("bad.yaml", 4, "FS3002", [])], self.found("bad.yaml", "d/a.yaml"))

    def test_explain_compares_as_it_likes(self):
        self.fine("explain", "d/a.yaml", "d/c.yaml")


if __name__ == "__main__":
    unittest.main()
