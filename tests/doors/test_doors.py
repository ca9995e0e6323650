"""One mistake has one code, whatever door it comes in by: a field of a spec, a patch, a manifest, a page, a script, an import.

The table has a row for each rule."""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import doors
import yaml
from table import ELSEWHERE, ROWS

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Each row by each door, but by some doors only for one kind, and each third by that of import; `-whole` takes all.
WHOLE = bool(os.environ.get("FLEXSLICE_WHOLE"))
IMPORTED = ("Job", "CronJob", "JobSet", "Deployment", "LeaderWorkerSet")


class Doors(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        cls.compiled = {}
        for kind in doors.SPECS:
            (cls.folder / "base.yaml").write_text(doors.dump(doors.spec(kind)))
            done = subprocess.run([doors.FLEXSLICE, "compile", "--emit", "manifests", "base.yaml"], cwd=cls.folder, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            cls.compiled[kind] = next(tree for tree in yaml.safe_load_all(done.stdout) if tree["kind"] == kind)

    def cases(self):
        """(row, kind, door, text) of each case."""
        for number, row in enumerate(ROWS):
            trees = {kind: doors.manifest(row, kind) for kind in doors.OBJECTS if not row.kinds or kind in row.kinds}
            trees = {kind: tree for kind, tree in trees.items() if tree is not None}
            of_kind = [each for each in trees if each in IMPORTED]
            for index, (kind, tree) in enumerate(trees.items()):
                text = doors.dump(tree)
                yield row, kind, "manifest", text
                if WHOLE or index == number % len(trees):
                    yield row, kind, "page", doors.page(text)
                    yield row, kind, "script", doors.script(text)
                # A process each, so a sample takes each third row.
                if kind in of_kind and (WHOLE or (number % 3 == 0 and kind == of_kind[number % len(of_kind)])):
                    yield row, kind, "import", text
                if kind not in doors.SPECS:
                    continue
                if row.spec is not None and not (row.part == "job" and kind not in ("Job", "CronJob", "JobSet")):
                    yield row, kind, "field", doors.dump(doors.spec(kind, row.spec))
                if not row.no_patch:
                    patch = doors.patch(row, kind, self.compiled[kind])
                    if patch is not None:
                        yield row, kind, "patch", doors.dump({**doors.spec(kind), "patches": [patch]})

    def found(self, cases):
        files = {}
        for index, (_, _, door, text) in enumerate(cases):
            command = {"field": "check", "patch": "check", "import": "import"}.get(door, "lint")
            some = files.setdefault(command, [])
            # A folder for those of a run, since lint looks at the others of a folder.
            name = f"{command}-{len(some) // doors.MOST}/{index}.{ {'page': 'md', 'script': 'sh'}.get(door, 'yaml')}"
            (self.folder / name).parent.mkdir(exist_ok=True)
            # Of one cluster each, so that the specs of a run have no conflict.
            (self.folder / name).write_text(text.replace("research", f"research-{index}"))
            some.append((index, name))
        found = {}
        for command, some in files.items():
            names = [name for _, name in some]
            if command == "import":
                with concurrent.futures.ThreadPoolExecutor(2) as pool:
                    parts = list(pool.map(lambda name: doors.codes("import", self.folder, [name], "--check"), names))
                said = {name: codes for part in parts for name, codes in part.items()}
            else:
                said = doors.codes(command, self.folder, names, *(["--notes"] if command == "lint" else []))
            found.update({index: said[name] for index, name in some})
        return found

    def test_every_door_finds_it(self):
        cases = list(self.cases())
        found = self.found(cases)
        silent = {}
        for index, (row, kind, door, _) in enumerate(cases):
            code = {"field": row.field_code, "patch": row.patch_code}.get(door) or row.code
            if code not in found[index]:
                silent.setdefault(f"{row.code} {row.name}: {door} of", []).append(kind)
        self.assertEqual({}, silent)

    def test_good_ones_have_no_finding(self):
        for kind, (tree, _, _) in doors.OBJECTS.items():
            text = doors.dump(tree)
            for name, content in (("good.yaml", text), ("good.md", doors.page(text)), ("good.sh", doors.script(text))):
                (self.folder / name).write_text(content)
                self.assertEqual({name: []}, doors.codes("lint", self.folder, [name]), kind)
        for kind in doors.SPECS:
            (self.folder / "good.yaml").write_text(doors.dump(doors.spec(kind)))
            self.assertEqual({"good.yaml": []}, doors.codes("check", self.folder, ["good.yaml"]), kind)

    def test_every_rule_has_a_row(self):
        codes = re.findall(r"^FS((?:4\d|50)\d\d|5133|514\d):\n  name:", (ROOT / "src/diag/diagnostics.yaml").read_text(), re.M)
        rows = {row.code for row in ROWS}
        for code in codes:
            self.assertTrue((f"FS{code}" in rows) != (f"FS{code}" in ELSEWHERE), f"FS{code} needs a row in table.py, or a reason in ELSEWHERE")


if __name__ == "__main__":
    unittest.main()
