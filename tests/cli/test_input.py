"""Where specs come from: files, stdin, streams of documents; and what cannot be read: exit status 3."""
import json
import os
import unittest

from program import Case, spec


class Input(Case):
    def places(self, *arguments, status=1, **options):
        """(file, line, code) of each finding of `check`."""
        result = self.expect(status, "check", "--format", "json", *arguments, **options)
        return [(each["file"], each["line"], each["code"]) for each in json.loads(result.out)]

    def test_file_and_stdin_give_the_same(self):
        self.write("a.yaml", spec())
        from_file = self.fine("compile", "--no-comments", "a.yaml").out
        self.assertEqual(from_file, self.fine("compile", "--no-comments", "-", stdin=spec()).out)
        self.assertIn("kind: Job", from_file)

    def test_stdin_is_named_in_findings(self):
        self.assertEqual([("<stdin>", 4, "FS3002")], self.places("-", stdin=spec(topology="4x6")))
        self.assertTrue(self.expect(1, "check", "-", stdin=spec(topology="4x6")).out.startswith("<stdin>:4:28: error[FS3002]"))

    def test_json_is_read(self):
        text = json.dumps({"apiVersion": "flexslice/v1", "name": "finetune", "cluster": {"name": "research", "location": "us-east5"},
                           "tpu": {"type": "v6e", "topology": "2x2"}, "provisioning": {"zones": ["us-east5-b"]},
                           "workload": {"image": "us-docker.pkg.dev/acme/train/finetune:2.1"}})
        self.write("a.json", text)
        self.write("finetune.yaml", spec())
        emit = ("compile", "--no-comments", "--emit", "manifests")
        self.assertEqual(self.fine(*emit, "finetune.yaml").out, self.fine(*emit, "a.json").out)

    def test_json_as_python_writes_it(self):
        """`json.dumps` writes an emoji as two escapes."""
        value = "ready \U0001f680, not \\ud83d"
        text = json.dumps({"apiVersion": "flexslice/v1", "name": "finetune", "cluster": {"name": "research", "location": "us-east5"},
                           "tpu": {"type": "v6e", "topology": "2x2"}, "provisioning": {"zones": ["us-east5-b"]}, "annotations": {"note": value},
                           "workload": {"image": "us-docker.pkg.dev/acme/train/finetune:2.1"}})
        self.assertIn(r"\ud83d\ude80", text)
        self.write("a.json", text)
        self.assertIn(f"note: {value}\n", self.fine("compile", "a.json").out)

    def test_an_empty_second_document_is_no_spec(self):
        for end in ("---\n", "---\n# nothing more\n---\n", "...\n"):
            with self.subTest(end=end):
                self.write("a.yaml", spec() + end)
                self.fine("check", "a.yaml")

    def test_missing_file(self):
        result = self.expect(3, "check", "nowhere.yaml")
        self.assertEqual("flexslice: nowhere.yaml: no such file or directory\n", result.err)

    def test_folder_without_specs(self):
        (self.folder / "empty").mkdir()
        self.assertIn("empty", self.expect(3, "check", "empty").err)

    def test_folder_with_specs(self):
        self.write("specs/b.yaml", spec(topology="4x6"))
        self.write("specs/deep/a.yaml", spec(topology="4x5"))
        self.write("specs/values.yaml", "replicas: 3\n")
        self.write("specs/notes.txt", "nothing")
        self.assertEqual([("specs/b.yaml", 4, "FS3002"), ("specs/deep/a.yaml", 4, "FS3002")], self.places("specs"))

    def test_unreadable_file(self):
        self.write("a.yaml", spec())
        (self.folder / "a.yaml").chmod(0)
        if os.access(self.folder / "a.yaml", os.R_OK):
            # root reads everything but what is not there to be read
            result = self.expect(3, "check", "/proc/self/mem")
        else:
            result = self.expect(3, "check", "a.yaml")
        self.assertRegex(result.err, r"\Aflexslice: \S+: [a-z/ ]+\n\Z")

    def test_the_other_files_are_read_all_the_same(self):
        self.write("a.yaml", spec("a", topology="4x6"))
        self.write("c.yaml", spec("c"))
        result = self.expect(3, "check", "a.yaml", "nowhere.yaml", "c.yaml")
        self.assertIn("a.yaml:4:28: error[FS3002]", result.out)
        self.assertIn("nowhere.yaml", result.err)
        self.assertIn("name: c", self.expect(3, "compile", "nowhere.yaml", "c.yaml").out)

    def test_lines_are_counted_through_the_stream(self):
        text = "# two blank lines, then three documents\n\n\n" + spec("a") + "---\n" + spec("b", topology="4x6") + "--- # c\n" + spec("c", zone="us-east5-c")
        self.write("a.yaml", text)
        lines = text.split("\n")
        wanted = [("a.yaml", 1 + lines.index("tpu: {type: v6e, topology: 4x6}"), "FS3002"),
                  ("a.yaml", 1 + lines.index("provisioning: {zones: [us-east5-c]}"), "FS3017")]
        self.assertEqual(wanted, self.places("a.yaml"))
        self.assertEqual([("<stdin>", *rest) for _, *rest in wanted], [tuple(each) for each in self.places("-", stdin=text)])

    def test_one_bad_document_does_not_end_the_stream(self):
        self.write("a.yaml", "a: [\n---\n" + spec("b", topology="4x6") + "---\n" + spec("c"))
        self.assertEqual(["FS1001", "FS3002"], [code for _, _, code in self.places("a.yaml")])
        result = self.expect(1, "compile", "a.yaml")
        self.assertIn("1 spec fine, 2 with errors", result.err)

    def test_markers_and_comments_alone_are_no_documents(self):
        self.write("a.yaml", "---\n# nothing\n---\n" + spec() + "---\n\n...\n---\n")
        self.assertEqual(1, self.fine("compile", "a.yaml").out.count("kind: Job"))
        self.assertEqual([], self.places("a.yaml", status=0))

    def test_an_empty_file_is_a_mistake(self):
        self.write("a.yaml", "")
        self.assertEqual(1, len(self.places("a.yaml")))
        self.assertEqual(1, len(self.places("-", stdin="")))

    def test_line_ends_of_windows_and_a_byte_order_mark(self):
        self.write("a.yaml", b"\xef\xbb\xbf" + spec(topology="4x6").replace("\n", "\r\n").encode())
        self.assertEqual([("a.yaml", 4, "FS3002")], self.places("a.yaml"))
        self.write("b.yaml", b"\xef\xbb\xbf" + spec().replace("\n", "\r\n").encode())
        self.write("finetune.yaml", spec())
        emit = ("compile", "--no-comments")
        self.assertEqual(self.fine(*emit, "finetune.yaml").out, self.fine(*emit, "b.yaml").out)

    def test_strange_names(self):
        for name in ("with blank.yaml", "ünïcode.yaml", "new\nline.yaml", "\x1b[31mred.yaml"):
            with self.subTest(name=name):
                self.write(name, spec(topology="4x6"))
                result = self.expect(1, "check", name)
                self.assertNotIn("\x1b", result.out)
                self.assertEqual(1, len(result.out.split("error[FS3002]")[0].split("\n")), "the name stays on its line")
                self.assertEqual([(name, 4, "FS3002")], self.places(name))

    def test_the_same_file_twice(self):
        self.write("a.yaml", spec(topology="4x6"))
        self.assertEqual(2, len(self.places("a.yaml", "a.yaml")))


if __name__ == "__main__":
    unittest.main()
