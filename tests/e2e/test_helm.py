"""Helm prints numbers of values.yaml as lint says."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

CASES = pathlib.Path(__file__).resolve().parents[1] / "ui/lint"
FLEXSLICE = os.environ.get("FLEXSLICE", str(CASES.parents[2] / "build/dev/flexslice"))
HELM = shutil.which(os.environ.get("FLEXSLICE_HELM", "helm"))


@unittest.skipUnless(HELM, "Helm is missing: neither $FLEXSLICE_HELM nor PATH has it")
class Helm(unittest.TestCase):
    def printed(self, case):
        """Numbers with an exponent that are a part of a string, in order."""
        done = subprocess.run([HELM, "template", CASES / case], capture_output=True, text=True, timeout=60, check=True)
        return re.findall(r"(?<!: )\b(?:[0-9.]+e\+[0-9]+)|(?<=: )\"[0-9.]+e\+[0-9]+", done.stdout)

    def said(self, case):
        done = subprocess.run([FLEXSLICE, "lint", "--format", "json", CASES / case], capture_output=True, text=True, timeout=60, check=False)
        return [each["message"].split(" ")[-3] for each in json.loads(done.stdout) if each["code"] == "FS5198"]

    def test_lint_says_what_helm_prints(self):
        for case, count in (("FS5198-chart", 3), ("never-chart", 0)):
            printed = [each.strip('"') for each in self.printed(case)]
            self.assertEqual((count, printed), (len(printed), self.said(case)), case)


if __name__ == "__main__":
    unittest.main()
