"""lint and gcloud's own parser agree on 2,000 commands that are made from gcloud's tree.

Both sides judge the same words: good ones, a wrong letter, a flag of another command, a bad value, one word too many or too
few, a wrong verb, flags that exclude each other. Where they differ, EXPLAINED says why; at most 1 % may.
"""

import collections
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).parent
# gcloud-parser-whole takes 2,000.
COUNT, SEED = 2000 if os.environ.get("FLEXSLICE_WHOLE") else 400, 11
# What lint reports where gcloud itself refuses the words.
CODES = {"FS2005", "FS2006", "FS5021", "FS5024", "FS5025", "FS5026", "FS5040", "FS5041", "FS5042", "FS5058", "FS5059",
         "FS5151"}
# GKE refuses what gcloud sends; types of single commands are not in the table; what gcloud drops silently is no refusal.
EXPLAINED = ("requires --reservation", "is not a valid `--node-taints`", "gcloud takes the last")


def sdk():
    """(the folder of the SDK, its Python), or a reason."""
    gcloud = shutil.which("gcloud")
    if gcloud is None:
        return None, "gcloud is not installed"
    root = Path(gcloud).resolve().parent.parent
    python = root / "platform/bundledpythonunix/bin/python3"
    if not (root / "lib/googlecloudsdk").is_dir() or not python.is_file():
        return None, "this gcloud has no Python of its own"
    return (root, python), None


class Parser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        found, reason = sdk()
        if found is None:
            if os.environ.get("CI"):
                raise AssertionError(reason)
            raise unittest.SkipTest(reason)
        cls.root, cls.python = found

    def commands(self, folder):
        environment = {**os.environ, "HOME": folder, "CLOUDSDK_CONFIG": folder}
        made = subprocess.run([self.python, "-I", HERE / "make_commands.py", self.root, str(COUNT), str(SEED)],
                              env=environment, capture_output=True, text=True, timeout=600)
        self.assertEqual(made.returncode, 0, made.stderr[-2000:])
        return [json.loads(line) for line in made.stdout.splitlines()]

    def test_agreement(self):
        with tempfile.TemporaryDirectory() as folder:
            commands = self.commands(folder)
            script = Path(folder) / "commands.sh"
            # The comment makes it a file about TPUs.
            script.write_text("# ct6e-standard-4t\n" + "".join(f"gcloud {shlex.join(each['argv'])}\n" for each in commands))
            run = subprocess.run([os.environ["FLEXSLICE"], "lint", "--format", "json", script], capture_output=True, text=True)
        found = collections.defaultdict(list)
        for finding in json.loads(run.stdout):
            if finding["code"] in CODES and not any(words in finding["message"] for words in EXPLAINED):
                found[finding["line"]].append(f"{finding['code']} {finding['message']}")
        different = [(each, found[line]) for line, each in enumerate(commands, 2) if bool(each["refused"]) != bool(found[line])]
        kinds = collections.Counter(each["kind"] for each in commands)
        self.assertEqual(len(kinds), 8, kinds)
        for each, findings in different:
            print(f"gcloud {shlex.join(each['argv'])}\n  gcloud: {each['refused'] or 'accepted'}\n  lint: {findings}", file=sys.stderr)
        self.assertLessEqual(len(different), COUNT // 100)


if __name__ == "__main__":
    unittest.main()
