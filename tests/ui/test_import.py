"""import says what the marks of each case say, in the words of its golden, and writes the spec of its golden."""
import os
import unittest

import importcases


class Import(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.outcomes = [(case, importcases.Outcome(case)) for case in importcases.cases()]

    def for_each(self, check):
        for case, outcome in self.outcomes:
            with self.subTest(case=case.name):
                check(case, outcome)

    def test_there_are_cases(self):
        self.assertTrue(self.outcomes, "no case begins with $FLEXSLICE_CASE")

    def test_marks(self):
        self.for_each(lambda case, outcome: self.assertEqual(case.marks(), outcome.places(case.marks())))

    def test_named_after_a_code_in_it(self):
        self.for_each(lambda case, outcome: self.assertIn(case.name.split("-")[0], {each["code"] for each in outcome.findings}))

    def test_output(self):
        def check(case, outcome):
            for ending, text in ((".out", outcome.stderr), (".spec", outcome.stdout)):
                golden = case.golden(ending)
                self.assertEqual(golden.read_text() if golden.exists() else "", text, "see bless.py")
        self.for_each(check)

    def test_status(self):
        def check(_, outcome):
            self.assertEqual(any(each["level"] != "note" for each in outcome.findings), outcome.status)
        self.for_each(check)

    def test_specs_compile(self):
        """Unless a finding says otherwise, or something has to be filled in."""
        def check(_, outcome):
            codes = {each["code"] for each in outcome.findings}
            has_placeholder = any(each in outcome.stdout for each in ("$", "<", "your-"))
            if outcome.stdout and not codes & {"FS4100", "FS5109", "FS5110"} and not has_placeholder:
                self.assertTrue(outcome.compiles)
        self.for_each(check)

    @unittest.skipIf("FLEXSLICE_CASE" in os.environ, "only some of the cases are run")
    def test_no_golden_without_case(self):
        names = {case.name for case, _ in self.outcomes}
        for path in importcases.CASES.iterdir():
            if path.suffix in (".out", ".spec"):
                self.assertIn(path.stem, names)


if __name__ == "__main__":
    unittest.main()
