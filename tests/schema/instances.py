"""Specs, good and bad, as plain data: the examples, the ui cases, and what becomes of examples when one value after the other is changed."""
import copy
import pathlib
import random
import re
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/ui"))
import uicases  # noqa: E402


class Core(yaml.SafeLoader):
    """PyYAML with the scalars of YAML 1.2: `yes` is a string, `0o17` and `1e3` are numbers."""


Core.yaml_implicit_resolvers = {}
for tag, pattern, first in (
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", list("-+0123456789")),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)", list("-+.0123456789")),
):
    Core.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"(?:{pattern})\\Z"), first)


def whole(loader, node):
    return int(loader.construct_scalar(node), 0) if "x" in node.value or "o" in node.value else int(node.value)


Core.add_constructor("tag:yaml.org,2002:int", whole)
Core.add_constructor("tag:yaml.org,2002:float", lambda loader, node: float(node.value.replace(".inf", "inf").replace(".nan", "nan")))


def documents(path):
    """(text, value) of each document of a file that PyYAML can read."""
    for text in re.split(r"^---[ \t]*$", uicases.whole(path.read_bytes()).decode(), flags=re.M):
        try:
            value = yaml.load(text, Core)
        except (yaml.YAMLError, ValueError):
            continue
        if value is not None:
            yield text, value


def examples():
    return [(f"{path.parent.name}", text, value) for path in sorted((ROOT / "examples").glob("*/spec.yaml")) for text, value in documents(path)]


def cases():
    """The ui cases that are specs by themselves; those with layers or overlays are about something else, and so are patches."""
    return [(path.stem, text, value) for path in sorted((ROOT / "tests/ui/cases").glob("*.yaml")) if not path.stem.endswith("in-a-patch") for text, value in documents(path)]


def paths(value, path=()):
    """Every place of a tree."""
    yield path
    for key, each in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from paths(each, (*path, key))


def at(value, path):
    for key in path:
        value = value[key]
    return value


def replaced(value, path, new):
    """A copy with another value at the path; the path of a whole tree is empty."""
    if not path:
        return new
    changed = copy.deepcopy(value)
    at(changed, path[:-1])[path[-1]] = new
    return changed


def removed(value, path):
    changed = copy.deepcopy(value)
    del at(changed, path[:-1])[path[-1]]
    return changed


OTHER_TYPES = [None, True, 0, 1, -1, 7, 1.5, 10**12, "", "x", "nonsense", "true", "12", [], ["x"], [1], [None], {}, {"x": "y"}, {"name": "x"}]


def other_texts(text):
    return [text.upper(), text + " ", " " + text, "-" + text, text + "-", text + "/x", text + "_x", text * 30, text + "é", text.replace("-", "."), "1" + text]


def changes(value, path):
    """What can be done to one value."""
    now = at(value, path)
    for other in OTHER_TYPES + (other_texts(now) if isinstance(now, str) else []):
        if other != now or type(other) is not type(now):
            yield replaced(value, path, other)
    if path:
        yield removed(value, path)
    if isinstance(now, dict):
        yield replaced(value, path, {**now, "unknown": 1})
        yield replaced(value, path, {**now, "nmae": "x"})
    if isinstance(now, list):
        yield replaced(value, path, now + [now[0]] if now else [])
        yield replaced(value, path, now[0] if now else "x")


def shape(path):
    """The field that a place belongs to, whichever element it is."""
    return tuple("[]" if isinstance(key, int) else key for key in path)


def is_inside_patch(path):
    """The schema does not know what a patch is merged into."""
    return "merge" in path[:-1] or "strategicMerge" in path[:-1]


def pieces_of_kubernetes():
    """A spec whose raw pieces have every field of the table of Kubernetes' types that a spec can reach."""
    table = yaml.load((ROOT / "src/schema/kubernetes.yaml").read_text(), Core)
    types = {each["name"]: each for each in table["types"]}
    samples = {"port_name": "http", "dns_label": "a", "dns_subdomain": "a.b", "image": "busybox", "data_key": "k",
               "quantity": "1Gi", "field_path": "metadata.labels['a']", "file_field_path": "metadata.labels", "sub_path": "a/b", "resource_name": "cpu"}

    def scalar(rule):
        if "choices" in rule:
            return rule["choices"][0]
        return {"integer": rule.get("max", 7), "flag": True}.get(rule.get("type"), samples.get(rule.get("pattern"), "x"))

    def value(kind, within, one):
        if " of " in kind:
            element = value(kind.split(" of ")[1], within, one)
            return [element] if kind.startswith("list") else {samples[within["keys"]]: element}
        return scalar(table["scalars"][kind]) if kind in table["scalars"] else piece(types[kind], one)

    def piece(kind, one):
        """With the source or handler number `one` of those of which there is exactly one."""
        sources = kind.get("oneOf", [])
        left_out = set(sources) - {sources[one % len(sources)]} if sources else set()
        return {key: value(each, kind, one) for key, each in kind["fields"].items() if key not in left_out}

    _, _, spec = examples()[0]
    for one in range(4):
        workload = {**spec["workload"], "initContainers": [piece(types["Container"], one)], "securityContext": piece(types["PodSecurityContext"], one)}
        yield f"pieces of Kubernetes, {one}", "", {**spec, "workload": workload}


def mutations():
    """Every change of every field of the examples, once, and a third of those of Kubernetes' types."""
    seen = set()
    for every, specs in ((1, examples()), (3, pieces_of_kubernetes())):
        for name, _, value in specs:
            new = {shape(path): path for path in paths(value) if shape(path) not in seen and not is_inside_patch(path)}
            seen |= set(new)
            for path in new.values():
                for changed in list(changes(value, path))[::every]:
                    yield f"{name}: {'.'.join(map(str, path))}", changed


def twice_changed(count):
    """Two changes at random."""
    generator = random.Random(1)
    specs = examples()
    for _ in range(count):
        name, _, value = generator.choice(specs)
        for _ in range(2):
            path = generator.choice([path for path in paths(value) if path and not is_inside_patch(path)] if isinstance(value, dict) and value else [()])
            value = generator.choice(list(changes(value, path)))
        yield name, value
