"""Cases of imports, for their test and for `bless`.

    import/FS5107-words.yaml   a file that is imported; also .md, .sh
    import/FS5105-words/       a folder whose files are imported together

Beside each: NAME.out, the findings, and NAME.spec, the spec, where there is one.
Marks are those of lintcases.py. They are for all findings but notes, and for notes of a code that some mark names.
"""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import lintcases
import uicases

HERE = pathlib.Path(__file__).resolve().parent
CASES = HERE / "import"
FLEXSLICE = os.environ.get("FLEXSLICE", str(HERE.parents[1] / "build/dev/flexslice"))


class Case(lintcases.Case):
    pass


class Outcome:
    def __init__(self, case):
        with tempfile.TemporaryDirectory() as directory:
            folder = pathlib.Path(directory)
            if case.path.is_dir():
                shutil.copytree(case.path, folder, dirs_exist_ok=True)
            else:
                shutil.copy(case.path, folder)
            files = sorted(path.name for path in folder.iterdir())
            done = run(["--color", "never", *files], folder)
            self.status, self.stdout, self.stderr = done.returncode, done.stdout.decode(), done.stderr.decode()
            self.findings = json.loads(run(["--format", "json", *files], folder).stderr)
            self.compiles = None
            if self.stdout:
                (folder / "spec.yaml").write_text(self.stdout)
                check = [FLEXSLICE, "compile", "--emit", "manifests", "spec.yaml"]
                self.compiles = subprocess.run(check, cwd=folder, capture_output=True, check=False).returncode == 0

    def places(self, marked):
        codes = {code for _, _, code in marked}
        return sorted((each["file"], each["line"], each["code"]) for each in self.findings if each["level"] != "note" or each["code"] in codes)


def cases():
    return uicases.chosen(Case(path) for path in sorted(CASES.iterdir()) if path.suffix not in (".out", ".spec"))


def run(arguments, folder):
    return subprocess.run([FLEXSLICE, "import", *arguments], cwd=folder, capture_output=True, stdin=subprocess.DEVNULL, check=False)
