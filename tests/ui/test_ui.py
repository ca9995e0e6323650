"""Every case of a mistake gives the diagnostics that its marks say, on the lines they stand on, and the very text of its golden."""
import collections
import os
import unittest

import uicases


def codes(found):
    return collections.Counter(each["code"] for each in found)


class Cases(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.outcomes = [(case, uicases.Outcome(case)) for case in uicases.cases()]

    def for_each(self, check):
        for case, outcome in self.outcomes:
            with self.subTest(case=case.name):
                check(case, outcome)

    def test_there_are_cases(self):
        self.assertTrue(self.outcomes, "no case begins with $FLEXSLICE_CASE")

    def test_marks(self):
        def check(_, outcome):
            self.assertTrue(outcome.marks, "no mark")
            self.assertEqual(outcome.marks, uicases.places(outcome.findings))
        self.for_each(check)

    def test_named_after_a_code_in_it(self):
        def check(case, outcome):
            if case.name.startswith("FS"):
                self.assertIn(case.name.split("-")[0], {code for _, _, code in outcome.marks})
        self.for_each(check)

    def test_stderr(self):
        def check(case, outcome):
            golden = case.golden(".stderr")
            self.assertTrue(golden.exists(), f"no {golden.name}: see bless.py")
            self.assertEqual(golden.read_bytes().decode(), outcome.stderr.decode())
        self.for_each(check)

    def test_status_and_output(self):
        def check(_, outcome):
            wrong = any(each["level"] == "error" for each in outcome.findings)
            self.assertEqual(1 if wrong else 0, outcome.status)
            if outcome.documents == 1:
                self.assertEqual(not wrong, bool(outcome.stdout), "an artifact only without errors")
        self.for_each(check)

    def test_fixed(self):
        def check(case, outcome):
            golden = case.golden(".fixed")
            self.assertEqual(golden.exists(), outcome.fixed is not None, f"{golden.name} and fixes")
            if outcome.fixed is None:
                return
            self.assertEqual(golden.read_text(), outcome.fixed)
            without_fix = codes(each for each in outcome.findings if not each["fixes"])
            self.assertLessEqual(codes(outcome.fixed_findings), without_fix, "the fixed spec has nothing but what had no fix")
            self.assertFalse([each for each in outcome.fixed_findings if each["fixes"]], "the fixed spec has nothing to fix")
        self.for_each(check)

    def test_fixed_by_the_program(self):
        if not uicases.has_fix():
            if os.environ.get("CI"):
                self.fail("`flexslice check --fix` is missing")
            self.skipTest("this build has no `check --fix`")
        def check(_, outcome):
            self.assertEqual(outcome.fixed, outcome.fixed_by_program)
        self.for_each(check)

    @unittest.skipIf("FLEXSLICE_CASE" in os.environ, "only some of the cases are run")
    def test_no_golden_without_case(self):
        names = {case.name for case, _ in self.outcomes}
        for path in uicases.CASES.iterdir():
            if path.suffix in (".stderr", ".fixed"):
                self.assertIn(path.stem, names)


if __name__ == "__main__":
    unittest.main()
