"""Files and streams that nobody wants: a clear message at the right place, the right status, bounded memory and time."""
import subprocess
import unittest

from running import FINDINGS, FLEXSLICE, IO, MIB, BatchCase, spec


class Texts(BatchCase):
    """One document that is bad in one way: (text, place and message)."""

    def test_each_is_told(self):
        bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
            f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 30))
        for name, text, wanted in (
                ("alias bomb", bomb, r"\d+:\d+: error\[FS1004\]: .*alias"),
                ("cyclic anchor", "a: &a [*a]\n", r"1:8: error\[FS1001\]: .*recursive alias `\*a`"),
                ("a million brackets", "[" * 1000000, r"1:\d+: error\[FS1004\]: .*64"),
                ("a million braces", "{" * 1000000, r"1:\d+: error\[FS1004\]: .*64"),
                ("a million dashes", "- " * 500000, r"1:\d+: error\[FS1004\]: .*64"),
                ("a staircase", "".join(" " * i + "a:\n" for i in range(1000)), r"\d+:\d+: error\[FS1004\]: .*64"),
                ("a huge scalar", f"{spec()}\nname: '{'x' * 900000}'\n", r"9:1: error\[FS1002\]"),
                ("a huge key", f"{'x' * 900000}: 1\n", r"1:1: error\[FS1001\]: .*a key of 900000 characters"),
                ("a million values", f"[{'1,' * 500000}]", r"1:\d+: error\[FS1004\]"),
                ("a million mistakes", f"{spec()}zones: [{'x: 1, ' * 20000}]", r"\d+:\d+: error\[FS"),
                ("bytes that are not UTF-8", spec().encode().replace(b"finetune", b"fine\xfftune", 1), r"2:11: error\[FS1006\]: .*UTF-8"),
                ("UTF-8 that is too long", b"name: \xc0\xae\n", r"1:7: error\[FS1006\]: .*UTF-8"),
                ("half of a character at the end", b"name: \xe2\x82", r"1:7: error\[FS1006\]: .*UTF-8"),
                ("UTF-16", spec().encode("utf-16"), r"1:1: error\[FS1008\]: .*UTF-16"),
                ("a NUL", spec().replace("finetune", "fine\0tune", 1), r"2:11: error\[FS1003\]: .*"),
                ("nothing but NULs", b"\0" * MIB, r"1:1: error\[FS1007\]: .*"),
                ("a tab for indentation", "cluster:\n\tname: a\n", r"2:1: error\[FS1001\]: .*tab"),
                ("quotes that never close", "a: '" + "x\n" * 400000, r"1:4: error\[FS1001\]"),
        ):
            with self.subTest(name):
                self.write("a.yaml", text)
                run = self.bounded(FINDINGS, "check", "--format", "short", "a.yaml", memory=256)
                self.assertRegex(run.out.splitlines()[0][:2000], r"\Aa\.yaml:" + wanted)
                self.assertLess(len(run.out), 3 * MIB)

    def test_line_ends(self):
        text = "---\n" + spec("a") + "---\n" + spec("b", topology="4x6")
        for begin, end, wanted in (("", "\r\n", r"13:28: error\[FS3002\]"), ("\ufeff", "\r\n", r"13:28: error\[FS3002\]"),
                                   ("", "\r", r"1:4: error\[FS1003\]: .*a carriage return without a line feed")):
            with self.subTest(begin=begin, end=end):
                result = self.expect(FINDINGS, "check", "--format", "short", "-", stdin=begin + text.replace("\n", end))
                self.assertRegex(result.out, r"\A<stdin>:" + wanted)


class Huge(BatchCase):
    """100 MiB take the memory of one document."""

    def check(self, status, pieces, *options, memory=24):
        with open(self.folder / "huge.yaml", "wb") as file:
            file.writelines(pieces)
        return self.bounded(status, "check", "--format", "short", *options, "huge.yaml", memory=memory)

    def test_one_line(self):
        run = self.check(FINDINGS, [b"x" * MIB] * 100)
        self.assertEqual(1, run.out.count("\n"), run.out)
        self.assertIn("huge.yaml:1:1: error[FS1004]", run.out)

    def test_one_comment(self):
        self.check(FINDINGS, [b"#" * MIB] * 100)

    def test_nothing_in_it(self):
        for line in (b"# nothing\n", b"---\n", b"\n"):
            with self.subTest(line=line):
                self.check(FINDINGS, [line * (MIB // len(line))] * (20 if line == b"\n" else 100))

    def test_the_next_documents_are_read(self):
        huge = [b"\n---\na: '", b"x" * (5 * MIB), b"---\n", b"-" * 70000, b"\n --- \n", b"---\n"]
        run = self.check(FINDINGS, [spec("first").encode(), *huge, spec("last", topology="4x6").encode()])
        self.assertRegex(run.out, r"\Ahuge.yaml:9:1: error\[FS1004\][^\n]+\nhuge.yaml:17:28: error\[FS3002\][^\n]+\n\Z")
        self.assertEqual("1 spec fine, 2 with errors\n", run.err)

    def test_markers_across_every_boundary(self):
        """The marker behind what is too large lies at every place where one read could end."""
        for size in range(5 * 65536 - 8, 5 * 65536 + 8):
            text = b"a: " + b"x" * (MIB + size) + b"\n---\n" + spec(topology="4x6").encode()
            result = self.expect(FINDINGS, "check", "--format", "short", "-", stdin=text)
            self.assertRegex(result.out, r"\A<stdin>:1:1: error\[FS1004\][^\n]+\n<stdin>:6:28: error\[FS3002\][^\n]+\n\Z")

    def test_fixing_keeps_every_byte(self):
        broken = spec("bad").replace("tpu: {", 'tpu: {slices: "1", ').encode()
        parts = [b"# top\n" * 20000, b"---\n" * 30000, broken, b"---\na: ", b"y" * (3 * MIB), b"\n--- # x\n", spec("good").encode(),
                 b"---\n" * 50000, b"# end"]
        run = self.check(FINDINGS, parts, "--fix")
        self.assertIn("fixed 1 finding in 1 file", run.err)
        self.assertEqual(b"".join(parts).replace(b'"1"', b"1"), (self.folder / "huge.yaml").read_bytes())

    def test_endless(self):
        with open("/dev/zero", "rb") as zero:
            run = self.bounded(IO, "check", "-", memory=24, stdin=zero)
        self.assertIn("flexslice: <stdin>: a document of more than 1 GiB", run.err)

    def test_endless_settings(self):
        self.write("a.yaml", spec())
        for option in ("--defaults", "--catalog"):
            with self.subTest(option=option):
                run = self.bounded(IO, "check", option, "/dev/zero", "a.yaml", memory=200)
                self.assertEqual("flexslice: /dev/zero: more than 64 MiB\n", run.err)

    def test_output_in_the_way(self):
        self.write("a.yaml", spec("a"))
        self.fine("compile", "--out-dir", "out", "a.yaml")
        with open(self.folder / "out/a/plan.json", "ab") as file:
            file.truncate(100 * MIB)
        self.bounded(FINDINGS, "compile", "--check", "--out-dir", "out", "a.yaml", memory=64)
        self.fine("compile", "--out-dir", "out", "a.yaml")
        self.fine("compile", "--check", "--out-dir", "out", "a.yaml")


class Documents(BatchCase):
    """Where documents begin and end."""

    def test_a_comment_at_the_top_covers_the_document(self):
        warned = spec(zone="us-east5-c")
        self.assertIn("FS3017", self.fine("check", "-", stdin=warned).out)
        for head in ("# flexslice: allow FS3017 - why\n---\n", "\ufeff# flexslice: allow FS3017 - why\n\n--- # x\n",
                     "---\n# flexslice: allow FS3017 - why\n"):
            with self.subTest(head=head):
                self.assertEqual("", self.fine("check", "-", stdin=head + warned).out)
                # And that document alone.
                second = self.fine("check", "--format", "short", "-", stdin=head + warned + "---\n" + spec("second", zone="us-east5-c")).out
                self.assertEqual(1, second.count("\n"), second)

    def test_text_behind_a_marker_has_its_column(self):
        result = self.expect(FINDINGS, "check", "--format", "short", "-", stdin="---   [flexslice]\n")
        self.assertTrue(result.out.startswith("<stdin>:1:7: "), result.out)

    def test_markers_that_are_none(self):
        text = spec().replace("image:", "script: |\n    ---- \n    ---x\n     ---\n  image:")
        self.assertEqual("1 spec fine\n", self.fine("check", "-", stdin=text).err)

    def test_every_way_to_cut_the_stream(self):
        """However the bytes arrive, the documents are the same."""
        text = ("# head\n---\n" + spec("a") + "---\n---\n# none\n--- # b\n" + spec("b", topology="4x6") + "...\n---\r\n" +
                spec("c", topology="4x8")).encode()
        words = ("compile", "--emit", "plan", "--format", "short", "-")
        wanted = self.run_flexslice(*words, stdin=text)
        for size in (1, 2, 3, 7):
            process = subprocess.Popen([FLEXSLICE, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for begin in range(0, len(text), size):
                process.stdin.write(text[begin:begin + size])
                process.stdin.flush()
            out, err = process.communicate()
            self.assertEqual((wanted.out, wanted.err), (out.decode(), err.decode()), size)


if __name__ == "__main__":
    unittest.main()
