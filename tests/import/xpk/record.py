"""record.py DIRECTORY: writes facts.yaml again, from what the tools generated for lines.yaml: one DIRECTORY/ID.yaml for each line.

xpk writes it with --dry-run --output-manifest-file FILE, gcluster with --dry-run-out FILE. Both ask the cluster first; answer
them by stand-ins as lines.yaml says.
"""
import collections
import pathlib
import sys

import yaml

import meaning

HERE = pathlib.Path(__file__).resolve().parent
HEADER = """\
# What the tools generated for the lines of lines.yaml: paths of the fields that a user feels (meaning.py), with their values.
# `usual` holds what most lines of a tool have in common; a line has the rest, and null for what it does not have.
# Written by record.py.
"""


def usual(meanings):
    """What more than half of the meanings have."""
    counts = collections.Counter((path, repr(value)) for each in meanings for path, value in each.items())
    common = {pair for pair, count in counts.items() if count * 2 > len(meanings)}
    return {path: value for each in meanings for path, value in each.items() if (path, repr(value)) in common}


def without(common, own):
    return {path: value for path, value in own.items() if common.get(path) != value} | {path: None for path in common if path not in own}


def main():
    lines = yaml.safe_load((HERE / "lines.yaml").read_text())
    meanings = {line["id"]: meaning.meaning((pathlib.Path(sys.argv[1]) / f"{line['id']}.yaml").read_text()) for line in lines}
    tools = {tool: usual([meanings[line["id"]] for line in lines if line["tool"] == tool]) for tool in sorted({line["tool"] for line in lines})}
    facts = {"usual": tools} | {line["id"]: without(tools[line["tool"]], meanings[line["id"]]) for line in lines}
    text = yaml.safe_dump(facts, sort_keys=False, width=1000, default_flow_style=None, allow_unicode=True)
    (HERE / "facts.yaml").write_text(HEADER + text)


if __name__ == "__main__":
    main()
