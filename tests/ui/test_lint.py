"""lint reports what the marks of each case say, in the words of its golden, and nothing about what only looks odd."""
import collections
import os
import pathlib
import tempfile
import unittest

import lintcases


def codes(found):
    return collections.Counter(each["code"] for each in found)


# Cases in which a comment allows nothing.
NOT_ALLOWED = {
    "FS1001-merge-of-a-text.yaml": "it cannot be read", "FS1013-after-a-dash.yaml": "it cannot be read",
    "FS5198-chart": "before Helm has filled it in, it cannot be read",
    "FS4037-autopilot-zone.sh": "the mark is within a comment", "FS4037-folder": "the mark is within a comment",
    "FS4550-job-and-pool": "it is asked for",
}


class Lint(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.outcomes = [(case, lintcases.Outcome(case)) for case in lintcases.cases()]

    def for_each(self, check):
        for case, outcome in self.outcomes:
            with self.subTest(case=case.name):
                check(case, outcome)

    def test_there_are_cases(self):
        self.assertTrue(self.outcomes, "no case begins with $FLEXSLICE_CASE")

    def test_marks(self):
        self.for_each(lambda case, outcome: self.assertEqual(case.marks(), outcome.places()))

    def test_named_after_a_code_in_it(self):
        def check(case, _):
            if case.name.startswith("FS"):
                self.assertIn(case.name.split("-")[0], {code for _, _, code in case.marks()})
        self.for_each(check)

    def test_what_looks_odd_is_right(self):
        def check(case, outcome):
            if case.name.startswith("never-"):
                self.assertEqual("", outcome.stdout)
        self.for_each(check)

    def test_output(self):
        def check(case, outcome):
            golden = case.golden(".out")
            self.assertEqual(golden.read_text() if golden.exists() else "", outcome.stdout, "see bless.py")
        self.for_each(check)

    def test_status(self):
        def check(_, outcome):
            self.assertEqual(any(each["level"] == "error" for each in outcome.findings), outcome.status)
        self.for_each(check)

    def test_fixed(self):
        def check(case, outcome):
            golden = case.golden(".fixed")
            self.assertEqual(golden.exists(), outcome.fixed is not None, f"{golden.name} and fixes")
            if outcome.fixed is None:
                return
            self.assertEqual(golden.read_text(), outcome.fixed)
            without_fix = codes(each for each in outcome.findings if not each["fixes"])
            self.assertLessEqual(codes(outcome.fixed_findings), without_fix, "what was fixed is clean")
        self.for_each(check)

    def test_a_comment_allows_each(self):
        def check(case, _):
            if case.path.suffix not in (".yaml", ".sh", "") or case.name in NOT_ALLOWED or "FS2091" in {code for _, _, code in case.marks()}:
                return
            with tempfile.TemporaryDirectory() as directory:
                folder = pathlib.Path(directory)
                allowed = lintcases.with_comments(case, folder)
                said = lintcases.findings(case, folder) if allowed else []
                self.assertEqual([], [each["message"] for each in said if each["code"] == "FS2091" or (each["file"], each["line"], each["code"]) in allowed])
        self.for_each(check)

    @unittest.skipIf("FLEXSLICE_CASE" in os.environ, "only some of the cases are run")
    def test_no_golden_without_case(self):
        names = {case.name for case, _ in self.outcomes}
        for path in lintcases.CASES.iterdir():
            if path.suffix in (".out", ".fixed"):
                self.assertIn(path.stem, names)


if __name__ == "__main__":
    unittest.main()
