"""A help that names a value of the spec is tried: with that value, what it answers is not reported again."""
import collections
import copy
import functools
import json
import os
import pathlib
import random
import re
import subprocess
import unittest

import yaml

from uicases import CASES, FLEXSLICE, ROOT, whole

# A value that the reader has to think of, and an amount that is a limit.
OPEN = re.compile(r"\b[A-Z]{3,}\b|\.\.\.")
REMOVED = re.compile(r", and remove ((?:`\w+`(?:, | and )?)+)$")
PAIR = re.compile(r"`([A-Za-z][A-Za-z.]*): ([^`]+)`")


def sections():
    """The keys of each section of a spec; those at the top are below the empty name."""
    schema = json.loads((ROOT / "schemas/flexslice.schema.json").read_text())

    def keys(of):
        of = schema["$defs"][of["$ref"].rsplit("/", 1)[-1]] if "$ref" in of else of
        return of.get("properties", {})
    return {"": set(keys(schema)), **{name: set(keys(each)) for name, each in keys(schema).items()}}


SECTIONS = sections()


def examples_of_fields(schema, of, path=()):
    """(path, value) of each field of a spec, as the reference shows it."""
    of = schema["$defs"][of["$ref"].rsplit("/", 1)[-1]] if "$ref" in of else of
    for key, field in of.get("properties", {}).items():
        if path or key not in ("apiVersion", "matrix", "places", "patches"):
            yield from (((*path, key), value) for value in field.get("examples", ()))
            if not path:
                yield from examples_of_fields(schema, field, (key,))


LABELS = {"cloud.google.com/gke-spot": "true", "cloud.google.com/gke-flex-start": "true", "cloud.google.com/gke-queued": "true",
          "cloud.google.com/gke-tpu-topology": "4x4", "cloud.google.com/gke-tpu-accelerator": "tpu-v6e-slice", "cloud.google.com/gke-nodepool": "pool",
          "cloud.google.com/gke-max-run-duration-seconds": "7200", "cloud.google.com/compute-class": "tpus", "cloud.google.com/reservation-name": "block"}
FIELDS = list(examples_of_fields(json.loads((ROOT / "schemas/flexslice.schema.json").read_text()), json.loads((ROOT / "schemas/flexslice.schema.json").read_text())))
# A third of the changes are labels.
CHANGES = [*FIELDS, *[(("labels", "kueue.x-k8s.io/" + key), "team-a") for key in ("queue-name", "priority-class")] * 12,
           *[(("workload", "nodeSelector", key), value) for key, value in LABELS.items()] * 5]


def changed_at(spec, path, value):
    """The spec with another value at the path."""
    spec = copy.deepcopy(spec)
    parent = spec
    for step in path[:-1]:
        parent[step] = parent[step] if isinstance(parent.get(step), dict) else {}
        parent = parent[step]
    parent[path[-1]] = copy.deepcopy(value)
    return spec


@functools.cache
def findings(text):
    done = subprocess.run([FLEXSLICE, "check", "--format", "json", "-"], input=text, capture_output=True, text=True, timeout=60, check=False)
    return json.loads(done.stdout or "[]")


def subject(finding):
    """The code, and the field that the message begins with."""
    return finding["code"], re.match(r"[^`]*(`[^`]*`)?", finding["message"])[1]


def path_at(node, line, column):
    """The keys down to the key or value at that place."""
    if isinstance(node, yaml.SequenceNode):
        inner = ((number, path_at(each, line, column)) for number, each in enumerate(node.value))
        return next(((number, *path) for number, path in inner if path), ())
    for key, value in node.value if isinstance(node, yaml.MappingNode) else ():
        if any(part.start_mark.line <= line <= part.end_mark.line and
               (part.start_mark.line, part.start_mark.column) <= (line, column) < (part.end_mark.line, part.end_mark.column) for part in (key, value)):
            return (key.value, *path_at(value, line, column))
    return ()


def place_of(key, near, message):
    """The path of a field that a help names, by what the finding is about and the section that it is in."""
    if "." in key:
        path = tuple(key.split("."))
        return path if len(path) == 2 and path[1] in SECTIONS.get(path[0], ()) else None
    if f"`{key}`" in message and key in SECTIONS[""]:
        return (key,)
    others = ("tpu", "provisioning", "workload", "cluster", "") if len(near) < 3 else ()
    for section in (near[0] if near else "", *others):
        if key in SECTIONS.get(section, ()):
            return (section, key) if section else (key,)
    return None


def without(spec, path):
    """The spec without the value at the path; None: there is none."""
    spec = copy.deepcopy(spec)
    parent = spec
    for step in path[:-1]:
        parent = parent[step]
    if not path or (isinstance(parent, dict) and path[-1] not in parent):
        return None
    del parent[path[-1]]
    return spec


def errors(found):
    return {subject(each) for each in found if each["level"] == "error"}


WISHES = {"model": ("provisioning", "model"), "kind": ("workload", "kind"), "queue": ("provisioning", "queue")}
# Labels and selectors that say the same.
SAID_ELSEWHERE = {("workload", "nodeSelector", "cloud.google.com/gke-spot"): ("model", "spot"),
                  ("workload", "nodeSelector", "cloud.google.com/gke-flex-start"): ("model", "flex-start"),
                  ("labels", "kueue.x-k8s.io/queue-name"): ("queue", None)}


def value_at(spec, path):
    for step in path:
        spec = spec.get(step) if isinstance(spec, dict) else None
    return spec


def wishes(spec):
    """What a spec says of its model, kind and queue, wherever it says it."""
    found = {name: value_at(spec, path) for name, path in WISHES.items()}
    for path, (name, meaning) in SAID_ELSEWHERE.items():
        value = value_at(spec, path)
        if value is not None:
            found[name] = meaning or value
    return {name: value["name"] if isinstance(value, dict) and "name" in value else value for name, value in found.items() if value}


def lost_wishes(before, after, advice):
    """Those that are gone, or are others, although the help does not name them."""
    there = wishes(after)
    return {name for name, value in wishes(before).items() if there.get(name) != value and not re.search(rf"{name}|`{re.escape(str(value))}`", advice)}


def alternatives(text):
    """The pairs that a help offers together."""
    every, end, removed = [], 0, False
    for pair in PAIR.finditer(text):
        between = text[end:pair.start()]
        removed = bool(re.search(r"\bremove $", between)) or (removed and between == ", or ")
        if removed:
            end = pair.end()
            continue
        if not every or not re.search(r"\band\b", between) or re.search(r"\bor\b|[:;]", between):
            every.append([])
        every[-1].append(pair.groups())
        end = pair.end()
    return every


class Helps(unittest.TestCase):
    def documents(self):
        for path in sorted(CASES.glob("*.yaml")):
            for number, text in enumerate(re.split(r"(?m)^---.*\n", whole(path.read_bytes()).decode())):
                yield f"{path.stem}, document {number + 1}", text

    def attempt(self, text, finding, pairs, advice):
        """The spec with the values; None: they are not of fields that this law can set."""
        is_instead = "in its place" in advice
        near = path_at(yaml.compose(text), finding["line"] - 1, finding["column"] - 1)
        spec = yaml.safe_load(text)
        if is_instead and (not near or near[0] == "patches"):
            return None  # in a patch, which a field replaces
        if is_instead:
            spec = without(spec, near)
        for key, value in pairs:
            place = place_of(key, near, finding["message"])
            if place is None or OPEN.search(value):
                return None
            parent = spec
            for step in place[:-1]:
                parent = parent.setdefault(step, {})
                if not isinstance(parent, dict):
                    return None
            added, own = yaml.safe_load(value), parent.get(place[-1])
            parent[place[-1]] = {**own, **added} if isinstance(own, dict) and isinstance(added, dict) else added
        removed = REMOVED.search(advice)
        for key in re.findall(r"\w+", removed[1].replace(" and ", " ")) if removed else ():
            spec = without(spec, place_of(key, near, finding["message"]) or ()) or spec
        return yaml.safe_dump(spec, sort_keys=False)

    # Findings that another one hides: of a value that is wrong, nothing more is known.
    def consequences(self, finding):
        return set()

    def test_what_is_removed(self):
        """A help that says no more than to remove something loses no wish, and leads to no error."""
        tried = collections.Counter()
        for name, text in self.documents():
            before = findings(text)
            if any(re.match("FS1", each["code"]) for each in before):
                continue
            for finding in before:
                for advice in finding["helps"]:
                    if not re.match("remove it(:|$)", advice):
                        continue
                    near = path_at(yaml.compose(text), finding["line"] - 1, finding["column"] - 1)
                    changed = without(yaml.safe_load(text), near) if near and near[0] != "patches" else None
                    if changed is None:
                        continue
                    tried[finding["code"]] += 1
                    with self.subTest(case=name, help=advice):
                        spec = yaml.safe_dump(changed, sort_keys=False)
                        self.assertEqual(set(), errors(findings(spec)) - errors(before), spec)
                        self.assertEqual(set(), lost_wishes(yaml.safe_load(text), changed, advice), spec)
        self.assertGreater(sum(tried.values()), 50, tried)

    def test_each_value_is_tried(self):
        tried = collections.Counter()
        for name, text in self.documents():
            before = findings(text)
            if any(re.match("FS1", each["code"]) for each in before):
                continue
            for finding in before:
                for advice in finding["helps"]:
                    for pairs in alternatives(advice):
                        changed = self.attempt(text, finding, pairs, advice)
                        if changed is None:
                            continue
                        tried[finding["code"]] += 1
                        with self.subTest(case=name, help=advice):
                            there, after = (sum(subject(each) == subject(finding) for each in every) for every in (before, findings(changed)))
                            self.assertLess(after, there, changed)
                        with self.subTest(case=name, help=advice, law="no new error"):
                            self.assertEqual(set(), errors(findings(changed)) - errors(before) - self.consequences(finding), changed)
                        with self.subTest(case=name, help=advice, law="nothing is lost"):
                            self.assertEqual(set(), lost_wishes(yaml.safe_load(text), yaml.safe_load(changed), advice), changed)
        self.assertGreater(sum(tried.values()), 60, tried)
        self.assertGreater(tried["FS4190"], 10)

    def test_random_changes(self):
        """Examples with a label of a node or a queue, or with a field as the reference shows it, where it does not belong. FLEXSLICE_WHOLE: more of them."""
        rng = random.Random(int(os.environ.get("FLEXSLICE_SEED", "23")))
        specs = [text for text in (path.read_text() for path in sorted((ROOT / "examples").glob("*/spec.yaml"))) if not re.search(r"(?m)^(---|matrix:|places:)", text)]
        tried = collections.Counter()
        for _ in range(4000 if os.environ.get("FLEXSLICE_WHOLE") else 150):
            spec = yaml.safe_load(rng.choice(specs))
            path, value = rng.choice(CHANGES)
            spec = changed_at(spec, path, value)
            text = yaml.safe_dump(spec, sort_keys=False)
            for finding in findings(text):
                for advice in finding["helps"] if finding["level"] != "note" else ():
                    for changed in self.followed(text, finding, path, advice):
                        tried[finding["code"]] += 1
                        with self.subTest(code=finding["code"], path=path, help=advice):
                            self.assertEqual(set(), errors(findings(changed)) - errors(findings(text)), changed)
                            self.assertEqual(set(), lost_wishes(spec, yaml.safe_load(changed), advice), changed)
        self.assertGreater(sum(tried.values()), 40, tried)

    def followed(self, text, finding, path, advice):
        """The specs that a help leads to, of a finding about the value at the path."""
        if not finding["message"].startswith((f"`{'.'.join(path)}`", f"`{path[-1]}`")):
            return
        if re.match("remove it(:|,|$)", advice):
            yield yaml.safe_dump(without(yaml.safe_load(text), path), sort_keys=False)
        if advice.startswith("write "):
            for pairs in alternatives(advice):
                changed = self.attempt(text, finding, pairs, advice)
                if changed is not None:
                    yield changed


if __name__ == "__main__":
    unittest.main()
