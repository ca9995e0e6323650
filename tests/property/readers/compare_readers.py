#!/usr/bin/env python3
"""Checks that PyYAML reads from YAML_FILE what json reads from JSON_FILE, both written by emit_corpus.

usage: compare_readers.py YAML_FILE JSON_FILE
"""

import json
import sys

try:
    import yaml
except ImportError:
    print("PyYAML is not installed")
    sys.exit(77)


def differences(path, read, wanted):
    """The places where two trees differ, as (path, what was read, what was wanted)."""
    if type(read) is not type(wanted):
        yield path, read, wanted
    elif isinstance(wanted, list) and len(read) == len(wanted):
        for index, pair in enumerate(zip(read, wanted)):
            yield from differences(f"{path}[{index}]", *pair)
    elif isinstance(wanted, dict) and list(read) == list(wanted):
        for key in wanted:
            yield from differences(f"{path}[{key!r}]", read[key], wanted[key])
    elif read != wanted:
        yield path, read, wanted


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8", newline="") as file:
        text = file.read()
    with open(sys.argv[2], encoding="utf-8") as file:
        wanted = json.load(file)
    loaders = {yaml.SafeLoader, getattr(yaml, "CSafeLoader", yaml.SafeLoader)}
    found = []
    for loader in loaders:
        found += differences(loader.__name__, yaml.load(text, Loader=loader), wanted)
    for path, seen, expected in found[:20]:
        print(f"{path}: read {seen!r}, written {expected!r}", file=sys.stderr)
    sizes = ", ".join(f"{len(part)} {name}" for name, part in wanted.items())
    print(f"{sizes}; {len(loaders)} readers; {len(found)} differences")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
