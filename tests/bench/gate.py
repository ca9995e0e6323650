"""The instruction gate: one 40-line spec may cost at most 3 % more instructions than the recorded figure, and a spec of the same
length of any workload kind at most 15 % more than that one.

    python3 tests/bench/gate.py            compares, with the release program
    python3 tests/bench/gate.py --record   records what is measured now; commit instructions.json with the reason

Instruction counts are the same on every run, but another compiler or library gives others: then the gate says that it is skipped.
"""
import json
import pathlib
import sys
import tempfile

from measuring import HERE, NotHere, instructions, release_build
from peers import NAME, manifests

RECORD = HERE / "instructions.json"
TOLERANCE = 0.03
COMMAND = ["compile", "spec.yaml"]
# A spec for each workload kind, as many bytes as the Job of spec.yaml, and the fields that a Job has no use for.
KINDS = sorted((HERE / "kinds").glob("*.yaml"))
OWN_FIELDS = tuple(f"  {name}:" for name in ("kind", "leader", "ray", "startupProbe", "readinessProbe"))
KIND_LIMIT = 1.15


def events(build):
    """yaml-cpp's own event pass over the spec's bytes, without the program around it."""
    return instructions([build.tool("events"), "spec.yaml"], only="event_pass")


def program(build):
    return instructions([build.flexslice, *COMMAND])


def as_job(text):
    """The spec as a Job of the same length: each line of a field that a Job has no use for is an environment variable of as many bytes."""
    kept, variables, own = [], [], False
    for line in text.splitlines():
        own = line.startswith(OWN_FIELDS) or (own and line.startswith("    "))
        if own:
            variables.append(line)
        else:
            kept.append(line)
    entries = []
    for line in "\n".join(variables).split("\n"):
        name = f"    V{len(entries)}: "
        # What is too short for a variable makes the one before longer.
        if entries and len(line) <= len(name):
            entries[-1] += "x" * (len(line) + 1)
        else:
            entries.append(name + "x" * (len(line) - len(name)))
    kept[kept.index("  env:") + 1:kept.index("  env:") + 1] = entries
    return "\n".join(kept) + "\n"


def kinds(build):
    """Name of each kind's spec -> its instructions, as a multiple of those of a Job of the same length."""
    ratios = {}
    with tempfile.TemporaryDirectory() as directory:
        for path in KINDS:
            job = pathlib.Path(directory, path.name)
            job.write_text(as_job(path.read_text()))
            ratios[path.stem] = instructions([build.flexslice, "compile", path]) / instructions([build.flexslice, "compile", job])
    return ratios


def imports(build):
    """Instructions of an import of ten manifests, as a multiple of yaml-cpp's own event pass over the same bytes."""
    with tempfile.TemporaryDirectory() as directory:
        stream = pathlib.Path(directory, "manifests.yaml")
        text = manifests(build)
        stream.write_text("".join(text.replace(NAME, f"pre-{index:06d}") for index in range(10)))
        passes = instructions([build.tool("events"), stream], only="event_pass")
        return instructions([build.flexslice, "import", "--jobs=1", stream]) / passes


def differences(record, made_with):
    return [f"{name} is {made_with[name]}, the record is of {record['made with'].get(name)}"
            for name in made_with if made_with[name] != record["made with"].get(name)]


def compare(build):
    """(verdict, text): verdict is True, False, or None when the record doesn't fit."""
    record = json.loads(RECORD.read_text())
    different = differences(record, build.made_with())
    if different:
        return None, "skipped: " + "; ".join(different)
    measured, recorded = program(build), record["instructions"]
    change = measured / recorded - 1
    text = f"{measured:,} instructions, {recorded:,} recorded: {change:+.1%}, at most {TOLERANCE:+.0%}"
    if change < -TOLERANCE:
        text += "; record the better figure: python3 tests/bench/gate.py --record"
    return change <= TOLERANCE, text


def main():
    build = release_build()
    if sys.argv[1:] == ["--record"]:
        record = {"instructions": program(build), "event pass": events(build), "made with": build.made_with()}
        RECORD.write_text(json.dumps(record, indent=2) + "\n")
        print(RECORD.read_text(), end="")
        return 0
    verdict, text = compare(build)
    print(text)
    return 1 if verdict is False else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except NotHere as missing:
        sys.exit(f"skipped: {missing}")
