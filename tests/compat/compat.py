"""What a released version promises to keep, read from the program: what specs give, numbers of diagnostics, members of JSON."""
import json
import pathlib
import re
import shlex
import subprocess
import sys

import yaml

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "golden"))
import expected  # noqa: E402

SCRIPTS = ("provision.sh", "cleanup.sh")
# Words of a command before its own arguments.
VERBS = {"gcloud": 4, "kubectl": 2}


def outputs(spec):
    """File name -> text, of what a spec makes: objects as they are, and the commands of the scripts that change something."""
    files = {name: text.decode() for name, text in expected.compile_example(spec.parent, spec).items()}
    kept = {name: text for name, text in files.items() if name.endswith((".yaml", ".tf.json"))}
    scripts = [name for name in files if pathlib.PurePath(name).name in SCRIPTS]
    kept["commands.txt"] = "".join(f"# {name}\n{expected.dry_run(files[name].encode()).decode()}" for name in sorted(scripts))
    return kept


def leaves(value, path=""):
    """(path, leaf) of a tree; items of lists have the path of the list."""
    if isinstance(value, dict) and value:
        for key, each in value.items():
            yield from leaves(each, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list) and value:
        for each in value:
            yield from leaves(each, path)
    else:
        yield path, json.dumps(value)


def parts(name, text):
    """{thing of one kind and name: {what a row of CHANGELOG.md calls it: values}} of a file of outputs."""
    things = {}

    def add(thing, words, value):
        things.setdefault(thing, {}).setdefault(words, []).append(value)

    if name.endswith(".tf.json"):
        for block, types in json.loads(text).items():
            for kind, named in types.items() if isinstance(types, dict) else ():
                for label, body in named.items() if isinstance(named, dict) else ((block, named),):
                    for path, leaf in leaves(body):
                        add((kind, label), f"{kind} {path}", leaf)
    elif name.endswith(".yaml"):
        for tree in yaml.safe_load_all(text):
            for path, leaf in leaves(tree):
                add((tree["kind"], tree["metadata"]["name"]), f"{tree['kind']} {path}", leaf)
    else:
        for line in text.splitlines():
            if line.startswith(("#", "==>")):
                continue
            words = shlex.split(line)
            verb = " ".join(words[: VERBS.get(words[0], 1) + (words[1:2] in (["beta"], ["alpha"]))])
            thing = (verb, *(word for word in words if not word.startswith("-")))
            add(thing, verb, "")
            for flag in (word for word in words if word.startswith("-")):
                add(thing, f"{verb} {flag.partition('=')[0]}", flag)
    return things


def differences(name, before, after):
    """What a row has to name: paths of objects that differ, `Job spec.backoffLimit`, flags of commands, and kinds that come or go."""
    old, new = parts(name, before), parts(name, after)
    for thing in old.keys() | new.keys():
        if thing not in old or thing not in new:
            yield thing[0]
            continue
        for words in old[thing].keys() | new[thing].keys():
            if old[thing].get(words) != new[thing].get(words):
                yield words


def answer(*words):
    return subprocess.run([expected.FLEXSLICE, *map(str, words)], capture_output=True, text=True, check=False).stdout


def numbers():
    """Every number that has a row, old ones too."""
    return re.findall(r"^(FS\d{4}):$", (expected.ROOT / "src/diag/diagnostics.yaml").read_text(), re.MULTILINE)


def members(schema, path):
    """`path: type` of each member that a JSON Schema of ours has."""
    seen = set()

    def walk(node, where):
        if "$ref" in node:
            if (node["$ref"], where.count(".")) in seen or where.count(".") > 6:
                return
            node = schema["$defs"][node["$ref"].rsplit("/", 1)[1]]
        yield f"{where}: {node.get('type', 'any')}"
        for key, each in node.get("properties", {}).items():
            yield from walk(each, f"{where}.{key}")
        if isinstance(node.get("items"), dict):
            yield from walk(node["items"], f"{where}[]")

    return sorted(set(walk(schema, path)))


def json_members():
    made = []
    for name, words in (("spec", []), ("plan", ["--plan"]), ("findings", ["--findings"])):
        made += members(json.loads(answer("schema", *words)), name)
    for name in ("shapes", "models", "zones", "prices", "sources"):
        rows = json.loads(answer("catalog", name, "--format", "json"))
        made += sorted({f"catalog {path}" for path, _ in leaves(rows)})
    for one, other in (("single-host", "multi-host"), ("serve", "serve-multi-host"), ("queued", "multislice")):
        specs = [expected.ROOT / "examples" / name / "spec.yaml" for name in (one, other)]
        made += sorted({f"diff {path}" for path, _ in leaves(json.loads(answer("diff", *specs, "--format", "json")))})
    return sorted(set(made))
