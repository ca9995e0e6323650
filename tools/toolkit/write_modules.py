#!/usr/bin/env python3
"""Writes src/extract/toolkit_modules.yaml: what each module of Cluster Toolkit takes and gives.

Usage: write_modules.py CHECKOUT [EARLIER...], the folders of checkouts of GoogleCloudPlatform/cluster-toolkit. Names that
only earlier releases have are marked: who pins such a release is right.
"""
import pathlib
import re
import sys

OUT = pathlib.Path(__file__).parents[2] / "src/extract/toolkit_modules.yaml"
HEAD = """# Written by tools/toolkit/write_modules.py from GoogleCloudPlatform/cluster-toolkit of August 2026: the modules that a blueprint names by
# their path. `takes`: variables; a `!` marks those that are required, and a `-` those that only releases before it have. The rest is
# the type: `[` a list, `{` a mapping, `#` a number, `?` true or false, `*` not known, and else a string. `gives`: outputs.
"""
TYPES = {"list": "[", "set": "[", "tuple": "[", "map": "{", "object": "{", "number": "#", "bool": "?", "string": ""}


def blocks(text, kind):
    """The names and bodies of the blocks of one kind, at the beginning of a line."""
    for found in re.finditer(rf'^{kind} "([^"]+)" {{(.*?)^}}', text + "\n", re.M | re.S):
        yield found[1], found[2]
    for found in re.finditer(rf'^{kind} "([^"]+)" {{}}$', text, re.M):
        yield found[1], ""


def argument(body, name):
    return re.search(rf"^  {name}\s*=\s*(.*)$", body, re.M)


def word(name, body, injected):
    said = argument(body, "type")
    type_ = re.match(r"\w+", said[1])[0] if said else "any"
    required = argument(body, "default") is None and name != injected
    return name + ("!" if required else "") + TYPES.get(type_, "*")


def wrapped(key, words):
    """A folded scalar of lines that fit the width of the other tables."""
    lines, line = [f"  {key}: >-"], "   "
    for each in words:
        if len(line) + 1 + len(each) > 132:
            lines.append(line)
            line = "   "
        line += " " + each
    return "\n".join(lines + [line]) + "\n" if words else ""


def text_of(folder):
    return "\n".join(file.read_text() for file in sorted([*folder.glob("*.tf"), *folder.glob("*.pkr.hcl")]))


def module(folder, earlier):
    text, about = text_of(folder), (folder / "metadata.yaml").read_text()
    before = "\n".join(text_of(each) for each in earlier)
    injected = re.search(r"inject_module_id: (\S+)", about)
    takes = {name: word(name, body, injected and injected[1]) for name, body in blocks(text, "variable")}
    takes = {name: name + "-*" for name, _ in blocks(before, "variable")} | takes
    gives = {name for name, _ in blocks(text + "\n" + before, "output")}
    return wrapped("takes", [takes[name] for name in sorted(takes)]) + wrapped("gives", sorted(gives))


def main(root, *earlier):
    paths = sorted(path.parent.relative_to(root) for top in ("modules", "community/modules") for path in pathlib.Path(root).glob(f"{top}/*/*/metadata.yaml"))
    rows = (f"{path}:\n{module(root / path, [pathlib.Path(each) / path for each in earlier])}" for path in paths if path.parent.name != "internal")
    OUT.write_text(HEAD + "".join(rows))


if __name__ == "__main__":
    main(*sys.argv[1:])
