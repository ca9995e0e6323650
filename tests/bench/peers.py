"""Peers that make the same manifests. Each gets them as a template of its own kind, made here from what flexslice prints, so that a peer
only has to fill in the name: it derives nothing and checks nothing. What isn't installed says so."""
import json
import os
import pathlib
import shutil
import subprocess
import sys

import yaml

from measuring import SPEC, numbered

NAME = "pre-train"
SYSTEM_PYTHON = "/usr/bin/python3"


def manifests(build):
    """What flexslice makes of the benchmark's spec, without comments."""
    return subprocess.run([build.flexslice, "compile", "--no-comments", SPEC], capture_output=True, text=True, check=True).stdout


def has_module(python, module):
    return shutil.which(python) and subprocess.run([python, "-c", f"import {module}"], capture_output=True).returncode == 0


def node_yaml():
    """The folder of an installed npm package `yaml` or `js-yaml`, or nothing."""
    found = subprocess.run(["node", "-e", "console.log(require.resolve('js-yaml'))"], capture_output=True, text=True,
                           env={"PATH": "/usr/local/bin:/usr/bin:/bin", "NODE_PATH": "/usr/share/nodejs:/usr/lib/node_modules"})
    return found.stdout.strip() if found.returncode == 0 else ""


class Peers:
    """Command lines that print the manifests for one name, and for many."""

    def __init__(self, build, directory):
        self.directory = directory
        self.text = manifests(build)
        self.objects = list(yaml.safe_load_all(self.text))
        self.one = {}
        self.many = {}
        self.missing = []

    def write(self, name, text):
        path = self.directory / name
        path.write_text(text)
        return path

    def specs(self, count):
        return self.write("specs.yaml", "".join("---\n" + numbered(index) for index in range(count)))

    def offer(self, name, here, commands):
        """`commands` makes (command for one, command for many or None)."""
        if not here:
            self.missing.append(name)
            return
        self.one[name], many = commands()
        if many:
            self.many[name] = many

    def collect(self, count):
        self.offer("sed", shutil.which("sed"), self.sed)
        self.offer("envsubst", shutil.which("envsubst"), self.envsubst)
        pkl = os.environ.get("FLEXSLICE_PKL") or shutil.which("pkl")
        self.offer("pkl", pkl, lambda: self.pkl(pkl, count))
        self.offer("jsonnet", shutil.which("jsonnet"), lambda: self.jsonnet("jsonnet", count))
        self.offer("go-jsonnet", shutil.which("go-jsonnet"), lambda: self.jsonnet("go-jsonnet", count))
        self.offer("kustomize", shutil.which("kustomize"), lambda: self.kustomize(["kustomize", "build"], count))
        self.offer("kubectl kustomize", shutil.which("kubectl"), lambda: self.kustomize(["kubectl", "kustomize"], count))
        self.offer("Python + Jinja2", has_module(SYSTEM_PYTHON, "jinja2"), lambda: self.jinja(count))
        self.offer("node js-yaml", shutil.which("node") and node_yaml(), lambda: self.node(count))
        return self

    def sed(self):
        template = self.write("sed.yaml", self.text.replace(NAME, "@NAME@"))
        return ["sed", f"s/@NAME@/{NAME}/g", template], None

    def envsubst(self):
        template = self.write("envsubst.yaml", self.text.replace(NAME, "${SPEC_NAME}"))
        return [f"<{template}", "env", f"SPEC_NAME={NAME}", "envsubst", "${SPEC_NAME}"], None

    def pkl(self, program, count):
        def value(of):
            if isinstance(of, dict):
                return "new Mapping { " + "; ".join(f"[{json.dumps(key)}] = {value(item)}" for key, item in of.items()) + " }"
            if isinstance(of, list):
                return "List(" + ", ".join(map(value, of)) + ")"
            text = json.dumps(of, ensure_ascii=False)
            return text.replace(NAME, "\\(name)") if isinstance(of, str) else text

        template = self.write("template.pkl", f'name: String = "{NAME}"\noutput {{\n  value = {value(self.objects)}\n'
                              "  renderer = new YamlRenderer { isStream = true }\n}\n")
        folder = self.directory / "pkl"
        folder.mkdir(exist_ok=True)
        for index in range(count):
            (folder / f"{index:06d}.pkl").write_text(f'amends "../template.pkl"\nname = "pre-{index:06d}"\n')
        return [program, "eval", template], [program, "eval", *sorted(folder.iterdir())]

    def jsonnet(self, program, count):
        body = json.dumps(self.objects).replace(f'"{NAME}"', "name")
        one = self.write(f"{program}.jsonnet", f"local make(name) = {body};\nmake('{NAME}')\n")
        many = self.write(f"{program}-many.jsonnet",
                          f"local make(name) = {body};\n[o for i in std.range(1, {count}) for o in make('pre-%06d' % i)]\n")
        return [program, "-y", one], [program, "-y", many]

    def kustomize(self, command, count):
        def overlay(resources):
            folder = self.directory / f"{command[0]}-{len(resources)}"
            folder.mkdir(exist_ok=True)
            for index, text in enumerate(resources):
                (folder / f"{index}.yaml").write_text(text)
            files = [f"{index}.yaml" for index in range(len(resources))]
            (folder / "kustomization.yaml").write_text(json.dumps({"resources": files, "labels": [{"pairs": {"team": "research"}}]}))
            return [*command, folder]

        numbers = [f"pre-{index:06d}" for index in range(count)]
        return overlay([self.text]), overlay([self.text.replace(NAME, name) for name in numbers])

    def jinja(self, count):
        template = self.write("jinja.yaml", self.text.replace(NAME, "{{ spec.name }}"))
        program = self.write("jinja.py", "import sys\nimport jinja2\nimport yaml\n"
                             f"template = jinja2.Template(open({str(template)!r}).read())\n"
                             "for spec in yaml.load_all(open(sys.argv[1]), yaml.CSafeLoader):\n"
                             "    sys.stdout.write(template.render(spec=spec))\n")
        return [SYSTEM_PYTHON, program, SPEC], [SYSTEM_PYTHON, program, self.specs(count)]

    def node(self, count):
        objects = json.dumps(self.objects)
        program = self.write("node.js", f"const yaml = require({node_yaml()!r});\nconst fs = require('fs');\n"
                             f"const objects = {json.dumps(objects)};\nlet out = '';\n"
                             "for (const spec of yaml.loadAll(fs.readFileSync(process.argv[2], 'utf8')))\n"
                             f"  for (const o of JSON.parse(objects.replaceAll('{NAME}', spec.name))) out += '---\\n' + yaml.dump(o);\n"
                             "process.stdout.write(out);\n")
        return ["node", program, SPEC], ["node", program, self.specs(count)]

    def check(self, command):
        """Whether a peer really prints these objects; the order of their keys is its own affair."""
        words = [str(word) for word in command]
        given = pathlib.Path(words.pop(0)[1:]).read_text() if words[0].startswith("<") else None
        printed = subprocess.run(words, input=given, capture_output=True, text=True, check=True).stdout

        def key(value):
            return json.dumps({k: v for k, v in value.items() if k != "metadata"} | {"n": value["metadata"]["name"]}, sort_keys=True)

        made = [value for value in yaml.safe_load_all(printed) if value]
        flat = [item for value in made for item in (value if isinstance(value, list) else [value])]
        return sorted(map(key, flat)) == sorted(map(key, self.objects))


if __name__ == "__main__":
    sys.exit("run bench.py")
