"""A line on the terminal for who waits, and nothing for anybody else."""
import time
import unittest

from running import FINDINGS, FINE, BatchCase, on_terminal, spec, stream


class Progress(BatchCase):
    def slow(self, seconds=1.3, name="job"):
        for i in range(13):
            yield stream(20).replace("job-", f"{name}-{i}-").encode()
            time.sleep(seconds / 13)

    def test_after_a_second(self):
        status, seen = on_terminal(["check", "-j2", "-"], self.folder, self.slow())
        self.assertEqual(FINE, status)
        self.assertRegex(seen, r"\r\x1b\[K\d+ specs so far")
        self.assertTrue(seen.endswith("\r\x1b[K260 specs fine, 0 with errors\r\n"), "nothing of it is left")

    def test_findings_stand_on_lines_of_their_own(self):
        def pieces():
            yield from self.slow()
            yield ("---\n" + spec(topology="4x6")).encode()
            yield from self.slow(0.1, "late")

        words = ["compile", "-j2", "-o", "out.yaml", "--color", "never", "--format", "short", "-"]
        status, seen = on_terminal(words, self.folder, pieces())
        self.assertEqual(FINDINGS, status)
        self.assertRegex(seen, r"so far\r\x1b\[K<stdin>:\d+:\d+: error\[FS3002\]")

    def test_not_where_it_is_in_the_way(self):
        for words, options in ((["compile"], {"out_too": True}), (["check"], {"environment": {"TERM": "dumb"}})):
            with self.subTest(words=words):
                seen = on_terminal([*words, "-j2", "-"], self.folder, self.slow(), **options)[1]
                self.assertNotIn("so far", seen)
                self.assertTrue(seen.endswith("260 specs fine, 0 with errors\r\n"))


if __name__ == "__main__":
    unittest.main()
