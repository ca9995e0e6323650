#!/usr/bin/python3
"""Checks generated Kubernetes manifests strictly, without a cluster and without a network.

    check_manifests.py FILE...        (- is standard input)

Each document is read as kubectl reads it (strict_yaml), held against the schema of its kind (schema_check) and the
rules that the API server has in code (rules); the objects of a file are then held against each other and against
the arithmetic of TPU slices (tpu_rules), once none has errors of its own. Written apart from the compiler that it
checks: it shares no code and no data with it.

Findings are printed as `file:INDEX KIND/NAME: PATH: message`; INDEX counts the documents of the file that hold
something, from 1. The last line is `N passed, N failed` (objects). Exit 0: all passed; 1: some failed; 2: it could
not run, or there was nothing to check.

Needs python3-yaml and python3-jsonschema.
"""

import re
import sys

import rules
import schema_check
import strict_yaml
import tpu_rules


class Manifest:
    """One document: its value, if it could be read, and the (path, message) pairs found against it."""

    def __init__(self, value=None, problem=None):
        self.value = value
        self.findings = [((), problem)] if problem else []

    @property
    def title(self):
        meta = self.value.get("metadata") if isinstance(self.value, dict) else None
        name = meta.get("name") if isinstance(meta, dict) else None
        return f"{self.value.get('kind', '?')}/{name or '?'}" if isinstance(self.value, dict) else "?/?"


def check(text):
    """Checks one stream of documents; returns a Manifest for each that holds something."""
    manifests = [_check_alone(line, part) for line, part in _parts(text)]
    if not any(manifest.findings for manifest in manifests):
        for index, path, message in tpu_rules.file_errors([manifest.value for manifest in manifests]):
            manifests[index].findings.append((path, message))
    return manifests


def _parts(text):
    try:
        return list(strict_yaml.documents(text))
    except strict_yaml.Error as error:
        return [(None, str(error))]


def _check_alone(line, part):
    if line is None:
        return Manifest(problem=part)
    try:
        manifest = Manifest(strict_yaml.load_document(part, line))
    except strict_yaml.Error as error:
        return Manifest(problem=str(error))
    manifest.findings += schema_check.schema_errors(manifest.value)
    if not manifest.findings:
        manifest.findings += rules.server_errors(manifest.value)
    return manifest


def show(path):
    """A path as text: spec.containers[0].limits["google.com/tpu"]."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif re.fullmatch(r"[A-Za-z_][-\w]*", step):
            text += f".{step}" if text else step
        else:
            text += f'["{step}"]'
    return text


def report(name, manifests):
    """The lines to print for one file."""
    for index, manifest in enumerate(manifests, 1):
        for path, message in manifest.findings:
            where = f"{show(path)}: " if path else ""
            yield f"{name}:{index} {manifest.title}: {where}{message}"


def _read(name):
    if name == "-":
        return sys.stdin.buffer.read().decode("utf-8")
    with open(name, "rb") as file:
        return file.read().decode("utf-8")


def main(arguments):
    if not arguments or any(a.startswith("-") and a != "-" for a in arguments):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    manifests = []
    for name in arguments:
        try:
            text = _read(name)
        except OSError as error:
            print(f"check_manifests: {name}: {error.strerror}", file=sys.stderr)
            return 2
        except UnicodeDecodeError as error:
            found = [Manifest(problem=f"not UTF-8 at byte {error.start}")]
        else:
            found = check(text)
        for line in report("stdin" if name == "-" else name, found):
            print(line)
        manifests += found
    if not manifests:
        print("check_manifests: no objects in there", file=sys.stderr)
        return 2
    failed = sum(bool(manifest.findings) for manifest in manifests)
    print(f"{len(manifests) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
