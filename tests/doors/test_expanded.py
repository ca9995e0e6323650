"""What is wrong in a spec is wrong in what it expands to: each case of tests/ui/cases with a code FS3xxx or FS4xxx is expanded without being
judged, and lint finds the same code in the manifests and the script.

A case that cannot show this has a line that says why, with the codes that it is about: `#: CODES: REASON`, REASON one of REASONS."""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "ui"))
import uicases  # noqa: E402

EXPAND = os.environ.get("FLEXSLICE_EXPAND", str(uicases.ROOT / "build/dev/tests/flexslice-expand"))
REASONS = {
    "only a spec has it": "nothing is made of the value, or the same is made with it and without it",
    "it is derived": "what is made has the derived value, which is right",
    "it is advice": "it is a cost or a doubt of who plans the workload, and no mistake of an object",
    "it is of a patch": "the patch changes nothing, or what it changes is derived",
    "it is of a matrix": "the points of a matrix differ in it",
    "it is of places": "each place has objects of its own, and none says that there are others",
    "it is of a run": "several specs contradict each other",
    "it is of an overlay": "the catalog, or the layer, is wrong and not the spec",
    "nothing can be made": "a spec without it has no plan",
}
# A name that a spec derives is written in an object, whose own form is wrong then.
WRITTEN = {"FS4005": "FS2007"}
EXCUSE = re.compile(r"^#: ((?:FS\d{4} ?)+): (.+)$", re.M)


def judge(case):
    """The codes that lint finds in what the case expands to."""
    with tempfile.TemporaryDirectory() as directory:
        folder = pathlib.Path(directory)
        case.unpack(folder)
        text = (folder / case.spec).read_text(errors="replace")
        excuses = {code: reason for codes, reason in EXCUSE.findall(text) for code in codes.split()}
        codes = {code for _, _, code in case.marks(folder) if re.match("FS[34]", code)}
        (folder / case.spec).write_bytes(uicases.whole((folder / case.spec).read_bytes()))
        (folder / "made").mkdir()
        if set(excuses) >= codes:
            return case.name, codes, excuses, set()
        subprocess.run([EXPAND, folder / case.spec, folder / "made"], capture_output=True, check=False)
        done = subprocess.run([uicases.FLEXSLICE, "lint", "--notes", "--format", "json", "."], cwd=folder / "made", capture_output=True, text=True, check=False)
        found = {each["code"] for each in json.loads(done.stdout or "[]")}
        return case.name, codes, excuses, found | {code for code, written in WRITTEN.items() if written in found}


class Expanded(unittest.TestCase):
    maxDiff = None

    def test_lint_finds_the_same(self):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            judged = list(pool.map(judge, uicases.cases()))
        reasons = collections.Counter()
        held, silent = 0, set()
        for name, codes, excuses, found in judged:
            for code, reason in excuses.items():
                self.assertIn(reason, REASONS, name)
                self.assertIn(code, codes, f"{name} excuses what it does not have")
                self.assertNotIn(code, found, f"{name} needs no excuse for {code}")
                reasons[reason] += 1
            held += len((codes & found) - excuses.keys())
            silent |= {f"{code} {name}" for code in codes - found - excuses.keys()}
        print(f"\n{held} hold, {reasons.total()} are excused, {len(silent)} fail")
        for reason, count in reasons.most_common():
            print(f"  {count:4} {reason}: {REASONS[reason]}")
        self.assertEqual(set(), silent, "lint is silent: add the rule, or an excuse to the case")


if __name__ == "__main__":
    unittest.main()
