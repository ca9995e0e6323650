"""What a container runs: its command is given to bash in an empty folder, with stand-ins for every program. A stand-in
records its arguments and its environment, so quotes, `&&`, wrappers and exports count for what they do."""
import json
import os
import pathlib
import re
import subprocess
import tempfile

# Programs of the lines; any other is "command not found" and shows in the status.
PROGRAMS = ("python3", "pip", "bash", "gcloud", "hostname", "mkdir", "touch", "which")
# Programs by which the tools' wrappers wait and print the time.
WRAPPERS = ("date", "sleep")
STAND_IN = """#!/usr/bin/python3 -IS
import json, os, sys
with open(os.environ["RECORD"], "a") as record:
    print(json.dumps([[os.path.basename(sys.argv[0]), *sys.argv[1:]], dict(os.environ)]), file=record)
"""
SHELL = {"PATH", "RECORD", "HOSTNAME", "PWD", "OLDPWD", "SHLVL", "_", "LC_CTYPE"}


def environment(container):
    """Name -> value, of which Kubernetes replaces $(NAME) by what was defined before; `{path}` is of a field of the pod."""
    found = {}
    for each in container.get("env") or []:
        value = each.get("value", "")
        if "valueFrom" in each:
            value = "{" + next(iter(each["valueFrom"].values()))["fieldPath"] + "}"
        found[each["name"]] = expand(str(value), found)
    return found


def expand(text, values):
    """As the kubelet: $$ is $, $(NAME) is the value of NAME, and stays where there is none."""
    return re.sub(r"\$(\$|\(([^)]*)\))", lambda match: "$" if match[1] == "$" else values.get(match[2], match[0]), text)


def is_script(container):
    words = (container.get("command") or []) + (container.get("args") or [])
    return bool(words) and os.path.basename(words[0]) in ("bash", "sh")


def runs(container):
    """Path -> value: `runs[i]` is the i-th program with its arguments, `runs[i].env[NAME]` what it finds in its environment."""
    values = environment(container)
    words = [expand(str(word), values) for word in (container.get("command") or []) + (container.get("args") or [])]
    if not is_script(container):
        return numbered([(words, values)])
    with tempfile.TemporaryDirectory() as directory:
        folder = pathlib.Path(directory)
        (folder / "bin").mkdir()
        for program in PROGRAMS + WRAPPERS:
            stand_in = folder / "bin" / program
            stand_in.write_text(STAND_IN)
            stand_in.chmod(0o755)
        record = folder / "record"
        record.touch()
        shell = {"PATH": str(folder / "bin"), "RECORD": str(record), "HOSTNAME": "pod"}
        done = subprocess.run(["/bin/" + os.path.basename(words[0]), *words[1:]], cwd=folder, env=values | shell, timeout=60, capture_output=True, check=False)
        found = [json.loads(line) for line in record.read_text().splitlines()]
    found = [(argv, {name: value for name, value in seen.items() if name not in SHELL}) for argv, seen in found if argv[0] not in WRAPPERS]
    return numbered(found) | {"status": done.returncode}


def numbered(programs):
    found = {}
    for index, (argv, seen) in enumerate(programs):
        found[f"runs[{index}]"] = argv
        found |= {f"runs[{index}].env[{name}]": value for name, value in sorted(seen.items())}
    return found
