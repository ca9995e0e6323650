#!/usr/bin/python3
"""Reads one YAML text with several independent readers, to see whether they all read the same.

    load_pyyaml(text)   PyYAML's safe loader as it comes: YAML 1.1 with dates, base 60 and `=`.
    load_kubectl(text)  the real kubectl, without a server.
    strict_yaml.load    our strict reader, which follows kubectl and refuses what kubectl takes in silence.

Each gives the list of the documents' values. A text that is quoted well means the same to all of them.

    yaml_readers.py [--expect FILE.json] FILE...   compares the readers on files (- is standard input)

prints where they differ (from the JSON array of --expect, where given); exit 0: they agree, 1: they differ,
2: it could not run, 77: there is no kubectl (but 1 where the environment variable CI is set).

How kubectl is made to read without a server
--------------------------------------------
`kubectl patch --local -f - --type=merge -p '{}' -o json` reads any number of documents from stdin with the reader of
`kubectl apply`, changes nothing, and prints each as JSON, in order. Tried with kubectl 1.27 to 1.33. It needs no
server, no kubeconfig, no known kinds and no valid names. One call takes about 45 ms, and 0.2 s for 3000 documents,
so put many values into one call. What to know:

* Each document must be a mapping with a non-empty `kind`; `metadata.name`, where there, must be a string.
  Put other values into a field: {"kind": "Any", "value": ...}. A kind that ends in List and has `items` comes out
  as its items, which then need an apiVersion.
* Empty documents are left out. A document that cannot be read ends the run, after the earlier ones were printed.
* Values come back exactly: control characters, NEL, U+2028 and emoji too. Bytes that are not UTF-8 become U+FFFD.
  Numbers beyond 64 bits become floats; whole floats come back as integers, since JSON has no difference.
* The surrogate pairs of JSON ("\\ud83d\\ude00") are no YAML: kubectl refuses them unless the whole stream is JSON.
* Of a key given twice the last value is kept. Null values stay.
* `y`, `n`, `Y` and `N` are booleans, as keys too (PyYAML and YAML 1.2 have them as strings); `1e3`, `0o17` and `08`
  are numbers (strings in PyYAML); `1:30` and dates are strings (a number and a date in PyYAML); NaN and infinities
  are errors.
* A key of more than 1024 bytes cannot be read, unless `? ` stands before it.
* Text behind `...` is dropped in silence up to the next `---`. `--- # comment` separates, `--- text` is an error.

What does not do: `kubectl annotate --local` and `label --local` read alike but change the metadata; `set env --local`
knows built-in kinds only; `create --dry-run=client` and `apply --dry-run=client` ask the server for its kinds;
`kubectl kustomize` has a different reader (`yes` and `y` are strings to it), so it does not show what apply reads.
"""

import json
import os
import shutil
import subprocess
import sys
import unittest

import yaml

import strict_yaml

_COMMAND = ["patch", "--local", "-f", "-", "--type=merge", "-p", "{}", "-o", "json"]
_SKIPPED = 77


def load_pyyaml(text):
    """The documents as PyYAML reads them, without empty ones. Raises yaml.YAMLError."""
    return [value for value in yaml.safe_load_all(text) if value is not None]


def load_kubectl(text):
    """The documents as kubectl reads them, without empty ones. Raises ValueError with kubectl's words.

    Raises unittest.SkipTest where there is no kubectl, but RuntimeError where CI is set.
    """
    run = subprocess.run(
        [_kubectl(), *_COMMAND],
        input=text.encode("utf-8"),
        capture_output=True,
        env={**os.environ, "KUBECONFIG": os.devnull},
        check=False,
    )
    message = run.stderr.decode("utf-8", "replace").strip()
    if run.returncode and "no objects passed" in message:
        return []
    if run.returncode:
        raise ValueError(message)
    return list(_json_values(run.stdout.decode("utf-8")))


def _kubectl():
    found = shutil.which(os.environ.get("KUBECTL", "kubectl"))
    if found is None and os.environ.get("CI"):
        raise RuntimeError("kubectl is missing, and must not be where CI is set")
    if found is None:
        raise unittest.SkipTest("kubectl is missing")
    return found


def _json_values(text):
    def integer(digits):  # kubectl prints large floats without a point
        number = int(digits)
        return number if -(2**63) <= number < 2**63 else float(number)

    decoder = json.JSONDecoder(parse_int=integer)
    at, end = 0, len(text.rstrip())
    while at < end:
        value, at = decoder.raw_decode(text, text.index("{", at))
        yield value


READERS = {"PyYAML": load_pyyaml, "kubectl": load_kubectl, "strict": strict_yaml.load}


def differences(text, expected=None):
    """Yields a line for each reader that fails or differs from the expected values (by default: from kubectl's)."""
    read = {}
    for name, reader in READERS.items():
        try:
            read[name] = reader(text)
        except (ValueError, yaml.YAMLError, strict_yaml.Error) as error:
            yield f"{name} cannot read it: {error}"
    expected = read.get("kubectl") if expected is None else expected
    if expected is None:
        return
    for name, values in read.items():
        if len(values) != len(expected):
            yield f"{name} reads {len(values)} documents, not {len(expected)}"
        for index, (want, got) in enumerate(zip(expected, values), 1):
            yield from (f"{name}: document {index}{where}" for where in _differ(want, got))


def _differ(want, got, path=""):
    same_type = type(want) is type(got)
    if same_type and isinstance(want, dict) and want.keys() == got.keys():
        for key in want:
            yield from _differ(want[key], got[key], f"{path}[{key!r}]")
    elif same_type and isinstance(want, list) and len(want) == len(got):
        for i, pair in enumerate(zip(want, got)):
            yield from _differ(*pair, f"{path}[{i}]")
    elif not same_type or want != got:
        yield f"{path}: {got!r}, not {want!r}"


def main(arguments):
    expected = None
    if arguments[:1] == ["--expect"] and len(arguments) > 1:
        with open(arguments[1], encoding="utf-8") as file:
            expected = json.load(file)
        arguments = arguments[2:]
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    found = False
    for name in arguments:
        if name == "-":
            text = sys.stdin.buffer.read().decode("utf-8")
        else:
            with open(name, encoding="utf-8", newline="") as file:
                text = file.read()
        for line in differences(text, expected):
            print(f"{name}: {line}")
            found = True
    return int(found)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except unittest.SkipTest as skipped:
        print(f"SKIPPED: {skipped}")
        sys.exit(_SKIPPED)
    except RuntimeError as error:
        print(f"yaml_readers: {error}", file=sys.stderr)
        sys.exit(1)
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        print(f"yaml_readers: {error}", file=sys.stderr)
        sys.exit(2)
