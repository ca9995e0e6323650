"""The law of slips: all that compile makes of the examples is right, so lint must report each single change of it at its place, or a row of excuses.yaml says why it is harmless there.

FLEXSLICE_WHOLE=1 makes every change, at each door, or with FLEXSLICE_SLIPS_SAMPLE=20 one of 20; else a sample of them in folders. The table is written to slips.txt in the build's directory, and the silent ones to slips-silent.tsv."""
import collections
import os
import pathlib
import re
import subprocess
import sys
import unittest

import yaml

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "golden"))
import expected  # noqa: E402
import slips  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ.get("FLEXSLICE_BUILD", expected.ROOT / "build/dev"))
CHANGES = os.environ.get("FLEXSLICE_LINT_CHANGES", str(BUILD / "tests/flexslice-lint-changes"))
REDRAWN = ("a rule is missing, or another sample is drawn since an example got fields or files: look at the new ones among them, "
           "and raise ratchet.yaml if they are of old kinds")
WHOLE = os.environ.get("FLEXSLICE_WHOLE") == "1"
SAMPLE = int(os.environ.get("FLEXSLICE_SLIPS_SAMPLE", "1" if WHOLE else "40"))  # of so many changes one
NEAR = 2  # lines


def folders():
    """Example and door -> (name, text) of its files, and the number of those that are changed."""
    for example in expected.examples():
        made = {name: text.decode() for name, text in expected.compile_example(example).items()}
        chips = int((re.search(r'"chips": (\d+)', made["plan.json"]) or [0, 0])[1])
        objects = [(name, made[name]) for name in ("manifests.yaml", "queues.yaml", "volumes.yaml") if name in made]
        scripts = [("provision.sh", made["provision.sh"])] if "provision.sh" in made else []
        terraform = [(name, text) for name, text in made.items() if name.endswith(".tf.json")]
        yield example.name, objects, scripts, terraform, chips


def page(files):
    """One page with all of the files, and where the text of each begins in it."""
    text, starts = "# How to run it\n", []
    for name, content in files:
        text += f"\n```{'bash' if name.endswith('.sh') else 'json' if name.endswith('.json') else 'yaml'}\n"
        starts.append(len(text))
        text += content.rstrip("\n") + "\n```\n"
    return text, starts


def runs():
    """(door, files, slips), where the slips are of these files."""
    number = 0
    for _, objects, scripts, terraform, chips in folders():
        all_files = objects + scripts
        of_files = [slips.of(name, text, i, chips) for i, (name, text) in enumerate(all_files)]
        sample = []
        for slip in (each for of_file in of_files for each in of_file):
            number += 1
            if number % SAMPLE == 0:
                sample.append(slip)
        yield "folder", all_files, sample
        if not WHOLE:
            continue
        text, starts = page(all_files)
        yield "page", [("page.md", text)], [slips.Slip(each.operator, each.kind, each.path, 0, each.begin + starts[each.file], each.end + starts[each.file], each.instead) for each in sample]
        for i, file in enumerate(all_files):
            yield "alone", [file], [slips.Slip(each.operator, each.kind, each.path, 0, each.begin, each.end, each.instead) for each in sample if each.file == i]
        for file in terraform:
            yield "folder", [*objects, file], slips.of(*file, len(objects), chips)[::SAMPLE]


def answers(all_runs):
    parts = []
    for _, files, of_files in all_runs:
        parts.append(b"folder\n")
        for name, text in files:
            parts.append(f"file {name} {len(text.encode())}\n".encode() + text.encode())
        for slip in of_files:
            text, instead = files[slip.file][1], slip.instead.encode()
            begin = len(text[:slip.begin].encode())
            parts.append(f"change {slip.file} {begin} {begin + len(text[slip.begin:slip.end].encode())} {len(instead)}\n".encode() + instead)
    done = subprocess.run([CHANGES], input=b"".join(parts), capture_output=True, check=True)
    answer = []
    for line in done.stdout.decode().splitlines():
        if line == ".":
            yield answer
            answer = []
        else:
            answer.append(line.split("\t"))


class Excuses:
    def __init__(self):
        rows = yaml.safe_load((HERE / "excuses.yaml").read_text())
        self.rows = [(row.get("operators"), re.compile(row["at"]), row["why"], set(row.get("doors", []))) for row in rows]
        self.used = collections.Counter()

    def excuse(self, door, slip):
        where = f"{slip.kind} {slip.path}"
        for index, (operators, at, _, doors) in enumerate(self.rows):
            if (not operators or slip.operator in operators) and (not doors or door in doors) and at.fullmatch(where):
                self.used[index] += 1
                return index
        return None


def is_near(files, slip, finding):
    text = files[slip.file][1]
    first = text.count("\n", 0, slip.begin) + 1
    last = first + max(slip.instead.count("\n"), text.count("\n", slip.begin, slip.end))
    for place in finding[2:]:
        name, line = place.rsplit(":", 1)
        if name == files[slip.file][0] and first - NEAR <= int(line) <= last + NEAR:
            return True
    return False


def table(title, counts):
    lines = [f"{title:<40} {'silent':>7} {'elsewhere':>9} {'excused':>7} {'reported':>8}"]
    for key, row in sorted(counts.items(), key=lambda item: -item[1]["silent"]):
        lines.append(f"{key:<40} {row['silent']:>7} {row['elsewhere']:>9} {row['excused']:>7} {row['reported']:>8}")
    return "\n".join(lines)


class Law(unittest.TestCase):
    def test_slips_are_reported(self):
        all_runs, excuses = list(runs()), Excuses()
        by = {name: collections.defaultdict(collections.Counter) for name in ("door", "operator", "kind")}
        total, silent, wrong = collections.Counter(), [], []
        each_answer = answers(all_runs)
        for door, files, of_files in all_runs:
            for slip in of_files:
                answer = next(each_answer)
                wrong += [line for line in answer if line[0] == "unchanged"]
                found = [line for line in answer if line[0] != "unchanged"]
                row = excuses.excuse(door, slip)
                state = "reported" if any(is_near(files, slip, line) for line in found) else "elsewhere" if found else "excused" if row is not None else "silent"
                if state == "silent":
                    silent.append((door, slip.operator, slip.kind, slip.path, repr(files[slip.file][1][slip.begin:slip.end][:60]), repr(slip.instead[:60])))
                total[state] += 1
                for name, key in (("door", door), ("operator", slip.operator), ("kind", slip.kind)):
                    by[name][key][state] += 1
        count = sum(total.values())
        head = ", ".join(f"{key} {value} ({100 * value / count:.1f} %)" for key, value in sorted(total.items()))
        text = "\n\n".join([f"{count} slips: {head}", *(table(name, rows) for name, rows in by.items())]) + "\n"
        (BUILD / f"slips{'' if WHOLE else '-sample'}.txt").write_text(text)
        listed = BUILD / f"slips-silent{'' if WHOLE else '-sample'}.tsv"
        listed.write_text("".join("\t".join(row) + "\n" for row in silent))
        print("\n" + text)
        self.assertFalse(wrong, "lint reports what compile makes")
        most = yaml.safe_load((HERE / "ratchet.yaml").read_text())["whole" if WHOLE else "sample"]
        self.assertLessEqual(100 * total["silent"] / count, most["silent"], f"more slips are silent, listed in {listed}; {REDRAWN}")
        self.assertLessEqual(100 * total["excused"] / count, most["excused"], f"more slips are excused by excuses.yaml; {REDRAWN}")
        if WHOLE and SAMPLE == 1:
            self.assertEqual([row[1].pattern for index, row in enumerate(excuses.rows) if not excuses.used[index]], [], "rows of excuses.yaml excuse nothing")


if __name__ == "__main__":
    unittest.main()
