"""Writes src/schema/servers.txt: the fields that API servers know, of built-in kinds and of CRDs.

  write_table.py FOLDER > src/schema/servers.txt

FOLDER has a folder for each program of releases.yaml, and in it one for each of its releases: CRDs as
YAML, or of Kubernetes the file openapi.json (swagger 2.0). The two releases become one table, whose
fields say which of them lacks them. Descriptions stay out; what the table is made of is counted on
stderr. The format is described in src/schema/servers.hpp.
"""
import collections
import glob
import json
import os
import sys

import yaml

import counts
from model import convert_definition, convert_schema, merge, render

HERE = os.path.dirname(os.path.abspath(__file__))


def read_kubernetes(folder):
    """{(apiVersion, kind): (type name, is namespaced)}, {type name: node}"""
    with open(os.path.join(folder, "openapi.json"), encoding="utf-8") as file:
        document = json.load(file)
    definitions = document["definitions"]
    namespaced = {}
    for path, item in document["paths"].items():
        for operation in item.values():
            gvk = isinstance(operation, dict) and operation.get("x-kubernetes-group-version-kind")
            if gvk and operation.get("x-kubernetes-action") == "post":
                key = gvk["group"], gvk["version"], gvk["kind"]
                namespaced[key] = namespaced.get(key, False) or "{namespace}" in path
    short = short_names(definitions)
    objects, types, waiting = {}, {}, []
    for name, definition in definitions.items():
        for gvk in definition.get("x-kubernetes-group-version-kind", []):
            key = gvk["group"], gvk["version"], gvk["kind"]
            if key not in namespaced or "spec.containers" in name or gvk["kind"] in ("Eviction", "Binding"):
                continue
            version = "/".join(part for part in key[:2] if part)
            objects[version, gvk["kind"]] = short[name], namespaced[key]
            waiting.append(name)
    while waiting:
        name = waiting.pop()
        if short[name] in types:
            continue
        types[short[name]], used = convert_definition(name, definitions, short)
        waiting.extend(used)
    return objects, types


def short_names(definitions):
    """The last word, and of a word that several have the version and group too."""
    order = ("v1", "v2", "v1beta1", "v1beta2", "v1beta3", "v1alpha1", "v1alpha2", "v1alpha3")
    by_word = collections.defaultdict(list)
    for name in definitions:
        by_word[name.split(".")[-1]].append(name)
    short = {}
    for word, names in by_word.items():
        names.sort(key=lambda name: (".core." not in name and ".meta." not in name, order.index(name.split(".")[-2]) if name.split(".")[-2] in order else 99, name))
        for i, name in enumerate(names):
            parts = name.split(".")
            short[name] = word if i == 0 else f"{word}.{parts[-3]}.{parts[-2]}"
    return short


def read_crds(folder, kinds):
    """{(apiVersion, kind): (node, is namespaced)}"""
    objects = {}
    for path in sorted(glob.glob(os.path.join(folder, "*.yaml"))):
        with open(path, encoding="utf-8") as file:
            documents = list(yaml.load_all(file, getattr(yaml, "CSafeLoader", yaml.SafeLoader)))
        for document in documents:
            if not document or document.get("kind") != "CustomResourceDefinition":
                continue
            spec = document["spec"]
            kind = spec["names"]["kind"]
            if kinds and kind not in kinds:
                continue
            for version in spec["versions"]:
                if version.get("served") and "openAPIV3Schema" in version.get("schema", {}):
                    node = convert_schema(version["schema"]["openAPIV3Schema"], is_root=True)
                    objects[f"{spec['group']}/{version['name']}", kind] = node, spec["scope"] == "Namespaced"
    return objects


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    programs = yaml.safe_load(open(os.path.join(HERE, "releases.yaml")))
    lines, nodes, objects = [], {}, []
    for program in programs:
        older, newest = program["releases"][0], program["releases"][-1]
        folder = lambda release: os.path.join(sys.argv[1], program["name"], str(release["release"]))
        words = " ".join(f"{release['release']} {release['date']}" for release in program["releases"])
        lines.append(f"R {program['name']} {words} {program['title']}")
        if program["name"] == "kubernetes":
            old_objects, old_types = read_kubernetes(folder(older))
            new_objects, new_types = read_kubernetes(folder(newest))
            for name in sorted(set(old_types) | set(new_types)):
                nodes[name] = merge(old_types.get(name), new_types.get(name), is_part=False)
            all_objects = {**old_objects, **new_objects}
            found = {key: (("ref", value[0]), value[1]) for key, value in all_objects.items()}
        else:
            old_objects = read_crds(folder(older), program.get("kinds"))
            new_objects = read_crds(folder(newest), program.get("kinds"))
            found = {key: (merge(old_objects.get(key, (None,))[0], new_objects.get(key, (None,))[0], is_part=False),
                           (new_objects.get(key) or old_objects.get(key))[1]) for key in {**old_objects, **new_objects}}
        for key in sorted(found):
            mark = "-" if key not in new_objects else "+" if key not in old_objects else "="
            objects.append((program["name"], key, found[key][0], found[key][1], mark))
    print("# Made by tools/crds/write_table.py: " + ", ".join(f"{p['title']} {p['releases'][-1]['release']}" for p in programs) + ".")
    print("\n".join(lines + render(objects, nodes)))
    print(counts.summary(), file=sys.stderr)


if __name__ == "__main__":
    main()
