"""import and lint read node pools of Terraform, in both of its syntaxes, as they read the gcloud commands that create the same."""
import itertools
import json
import pathlib
import re
import resource
import subprocess
import tempfile
import time
import unittest

import yaml

from test_terraform import EXAMPLES, MAPS, expected


def run(folder, *words):
    return subprocess.run([expected.FLEXSLICE, *words], cwd=folder, capture_output=True, text=True, check=False)


def pool(**more):
    """A pool of a 4x4 slice, with arguments that replace these or are added."""
    body = {"name": "np", "cluster": "c", "location": "us-east5", "node_locations": ["us-east5-b"], "node_count": 4,
            "placement_policy": {"type": "COMPACT", "tpu_topology": "4x4"}, "node_config": {"machine_type": "ct6e-standard-4t", "spot": True}}
    for key, value in more.items():
        body[key] = body[key] | value if isinstance(body.get(key), dict) else value
    return body


def document(body, **more):
    return json.dumps({"resource": {"google_container_node_pool": {"np": body}}} | more, indent=2) + "\n"


REFERENCES = {"depends_on", "ignore_changes", "replace_triggered_by"}
LABELS = {"resource": 2, "variable": 1, "provider": 1}


def hcl_value(value, key=""):
    if isinstance(value, dict):
        return "{\n" + "".join(f"{json.dumps(name)} = {hcl_value(each)}\n" for name, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(each if key in REFERENCES else hcl_value(each) for each in value) + "]"
    expression = re.fullmatch(r"\$\{(.*)\}", value) if isinstance(value, str) else None
    return expression[1] if expression else json.dumps(value)


def hcl_body(body, labels=0, header=""):
    """Lines of the same body in Terraform's own syntax."""
    lines = []
    for key, value in body.items():
        if labels:
            lines += hcl_body(value, labels - 1, f'{header} "{key}"') if labels > 1 else [f'{header} "{key}" {{', *hcl_body(value), "}"]
        elif key == "//":
            lines += [f"# {line}" for line in value.splitlines()]
        elif key in LABELS and isinstance(value, dict) and not header:
            lines += hcl_body(value, LABELS[key], key)
        elif isinstance(value, dict) and key not in MAPS | {"input", "google"}:
            lines += [f"{key} {{", *("  " + line for line in hcl_body(value)), "}"]
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            for each in value:
                lines += [f"{key} {{", *("  " + line for line in hcl_body(each)), "}"]
        else:
            lines += f"{key} = {hcl_value(value, key)}".splitlines()
    return lines


def hcl(text):
    """The same document in Terraform's own syntax."""
    return "\n".join(hcl_body(json.loads(text))) + "\n"


BOTH = (("pool.tf.json", str), ("pool.tf", hcl))


class Import(unittest.TestCase):
    maxDiff = None

    def test_the_same_spec(self):
        """From NAME.tf.json, from the same as HCL and from provision.sh, with the manifests."""
        seen = 0
        for name, meant in EXAMPLES.items():
            if not meant.pools or meant.new_cluster:
                continue
            with self.subTest(example=name), tempfile.TemporaryDirectory() as folder:
                files = expected.compiled(expected.ROOT / "examples" / name)
                [terraform] = [file for file in files if file.endswith(".tf.json")]
                # The import says that Terraform owns the pools, and policies that it owns have no cluster in their names.
                files[terraform] = files[terraform].replace(b"-my-cluster-policy", b"-policy")
                for file in (terraform, "provision.sh", "manifests.yaml", *(["queues.yaml"] if "queues.yaml" in files else [])):
                    pathlib.Path(folder, file).write_bytes(files[file])
                others = [each.name for each in pathlib.Path(folder).glob("*.yaml")]
                pathlib.Path(folder, "main.tf").write_text(hcl(files[terraform]))
                script, *made = [run(folder, "import", *others, file) for file in ("provision.sh", terraform, "main.tf")]
                self.assertTrue(script.stdout)
                for each in made:
                    self.assertEqual(*(re.sub(r"#.*|\n  owner: terraform(?=\n)", "", text).strip() for text in (script.stdout, each.stdout)))
                    # The label of a sweep's pools in the script names no single workload.
                    self.assertGreaterEqual(script.returncode, each.returncode, each.stderr)
                seen += 1
        self.assertGreater(seen, 12)

    def imported(self, name, text, example="ray-fine-tune"):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, name).write_bytes(text if isinstance(text, bytes) else text.encode())
            pathlib.Path(folder, "manifests.yaml").write_bytes(expected.compiled(expected.ROOT / "examples" / example)["manifests.yaml"])
            return run(folder, "import", "--format", "short", "manifests.yaml", name)

    def test_unread(self):
        """What no spec can say is named, and so are arguments that are not known."""
        for name, write in BOTH:
            done = self.imported(name, write(document(pool(node_config={"linux_node_config": {"sysctls": {"a": "1"}}}))))
            self.assertIn("linux_node_config", done.stderr)
            self.assertEqual(1, done.returncode)

    def test_words(self):
        """What the spec changes is named as the file names it."""
        text = hcl(document(pool(name="job-1-pool", management={"auto_upgrade": False}, node_config={"spot": False, "flex_start": True, "image_type": "COS_CONTAINERD"})))
        done = self.imported("pool.tf", text, "multi-host")
        for each in ("adds `autoscaling.max_node_count = 4` to `google_container_node_pool job-1-pool`", "adds `management.auto_repair = false` to",
                     "`node_count` of `google_container_node_pool job-1-pool` changes: `4` becomes `0`", 'keep `node_config.image_type = "COS_CONTAINERD"` of `google_container_node_pool',
                     'keep `placement_policy.type = "COMPACT"` of', "keep `management.auto_upgrade = false` of"):
            self.assertIn(each, done.stderr)
        self.assertNotRegex(done.stderr, "--[a-z]|gcloud")

    def test_open(self):
        """What only Terraform knows is named, and nothing stands in for it."""
        text = hcl(document(pool(node_config={"spot": "${var.spot}"}, count="${var.pools}")))
        text = text.replace("placement_policy {", 'dynamic "placement_policy" {\nfor_each = [1]\ncontent {').replace('"4x4"\n}', '"4x4"\n}\n}')
        done = self.imported("pool.tf", text)
        for each in ("${var.spot}", "${dynamic}", "argument count"):
            self.assertIn(each, done.stderr)
        self.assertNotIn("model: on-demand", done.stdout)

    def test_not_terraform(self):
        """A file that nothing can be read from is said, with its place."""
        done = self.imported("pool.tf", hcl(document(pool())).replace('"4x4"', '"4x4'))
        self.assertRegex(done.stderr, r"pool.tf:\d+:\d+: error\[FS5112\]: .*pool.tf")
        self.assertEqual(1, done.returncode)


VARIABLES = 'variable "topology" {}\nvariable "machine" {\n  default = "ct6e-standard-4t"\n}\n'
OF_MODULE = pool(name="job-1-pool", placement_policy={"tpu_topology": "${var.topology}"}, node_config={"machine_type": "${var.machine}", "spot": "${local.spot}"})


class Module(unittest.TestCase):
    """The files of a folder, of which only one has a pool."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.write("a/main.tf", hcl(document(OF_MODULE)))
        self.write("a/variables.tf", VARIABLES)
        self.write("a/locals.tf.json", '{"locals": {"spot": true}}')
        self.write("a/terraform.tfvars.json", '{"topology": "4x4"}')
        self.write("b/terraform.tfvars", 'topology = "4x6"\n')

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    def lint(self, *words):
        done = run(self.folder, "lint", "--notes", "--format", "json", *words)
        return [(each["code"], each["file"], each["line"]) for each in json.loads(done.stdout)], done.stdout

    def topology_line(self):
        return (self.folder / "a/main.tf").read_text().splitlines().index("  tpu_topology = var.topology") + 1

    def test_directory(self):
        self.assertEqual([], self.lint("a")[0])
        self.assertEqual([], self.lint()[0])
        self.write("a/z.auto.tfvars", 'topology = <<-E\n    4x6\n  E\ntopology = "4x6"\n')
        wrong = [("FS3002", "a/main.tf", self.topology_line())]
        found, text = self.lint("a")
        self.assertEqual(wrong, found)
        self.assertIn("a/z.auto.tfvars", text)

    def test_machine_type_elsewhere(self):
        """A pool of one host, in a file that says nothing of TPUs."""
        self.write("a/main.tf", 'resource "google_container_node_pool" "np" {\n  cluster = "c"\n  node_config {\n    machine_type = var.machine\n  }\n}\n')
        self.assertEqual([], self.lint("a")[0])
        self.write("a/variables.tf", VARIABLES.replace("ct6e-standard-4t", "ct6e-standard-5t"))
        self.assertEqual([("FS3003", "a/main.tf", 4)], self.lint("a")[0])
        self.assertEqual([("FS3003", "a/main.tf", 4)], self.lint("a/main.tf", "a/variables.tf")[0])
        self.assertEqual([("FS3003", "a/main.tf", 4)], self.lint("a/main.tf")[0])

    def test_named_files(self):
        """The folder of a named file is its module; a file for -var-file counts where it is named, and the last."""
        wrong = [("FS3002", "a/main.tf", self.topology_line())]
        self.write("a/prod.tfvars", 'topology = "4x6"\n')
        named = [f"a/{name}" for name in ("main.tf", "variables.tf", "locals.tf.json")]
        self.assertEqual([], self.lint(*named)[0])
        self.assertEqual([], self.lint("a")[0])
        self.assertEqual([], self.lint(*named, "a/terraform.tfvars.json")[0])
        self.assertEqual(wrong, self.lint("a/prod.tfvars", *named, "a/terraform.tfvars.json")[0])
        self.assertEqual(wrong, self.lint("a", "a/prod.tfvars")[0])
        self.assertEqual([], self.lint(*named, "b/terraform.tfvars")[0])

    def test_alone(self):
        """It says what is open where no file beside it says more, and is quiet unless it is asked."""
        for path in pathlib.Path(self.folder, "a").iterdir():
            if path.name != "main.tf":
                path.unlink()
        [(code, file, line)], text = self.lint("a/main.tf")
        self.assertEqual(("FS5034", "a/main.tf", 1), (code, file, line))
        for each in ("node_config.machine_type", "placement_policy.tpu_topology", "var.topology, var.machine, local.spot", "name the folder"):
            self.assertIn(each, text)
        quiet = run(self.folder, "lint", "a/main.tf")
        self.assertEqual(("", 0), (quiet.stdout, quiet.returncode))

    def test_unreadable(self):
        """A file that cannot be read, or is too large for a walk, leaves the values open."""
        self.write("a/variables.tf", VARIABLES + '"')
        self.assertEqual(["FS5034"], [each[0] for each in self.lint("a")[0]])
        self.write("a/variables.tf", VARIABLES + "# " + "x" * (1 << 20))
        self.assertEqual(["FS5034"], [each[0] for each in self.lint("a")[0]])
        self.assertEqual([], self.lint("a", "a/variables.tf")[0])

    def test_many_files(self):
        """Each is read once for all of them: four times as many take about four times as long."""
        variables = "".join(f'variable "v%d_{number}" {{\n  default = "{number}"\n}}\n' for number in range(100))
        seconds = []
        for count in (160, 640):  # fewer take a few milliseconds, which are counted in ticks of a clock
            for number in range(count):
                named = hcl(document(pool(name="${var.v%d_1}" % number, placement_policy={"tpu_topology": "${var.topology}"})))
                self.write(f"many/{number}.tf", variables.replace("%d", str(number)) + named.replace('"np"', f'"np{number}"'))
            self.write("many/terraform.tfvars", 'topology = "4x6"\n')
            taken = []
            for words in (("lint", "--jobs", "1", "--format", "json", "many"), ("import", "--jobs", "1", "--format", "json", "many")):
                before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
                self.assertEqual(count, (lambda done: done.stdout + done.stderr)(run(self.folder, *words)).count('"FS3002"'))
                taken.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
            seconds.append(taken)
        for few, many in zip(*seconds):
            self.assertLess(many, 8 * few)

    def test_import(self):
        """A directory is a module as well, and so are files that are named together."""
        spec = str(expected.ROOT / "examples/multi-host/spec.yaml")
        self.write("a/manifests.yaml", run(self.folder, "compile", "--set", "provisioning.model=spot", "--emit", "manifests", spec).stdout)
        whole = run(self.folder, "import", "--format", "short", "a")
        self.assertRegex(whole.stdout, r"model: spot\n  zones:\n    - us-east5-b")
        self.assertNotIn("FS5034", whole.stderr)
        self.write("a/prod.tfvars", 'topology = "4x6"\n')
        files = [f"a/{name}" for name in ("main.tf", "manifests.yaml", "locals.tf.json", "variables.tf")]
        named = run(self.folder, "import", "--format", "short", *files, "a/terraform.tfvars.json")
        self.assertEqual(whole.stdout, named.stdout)
        self.assertEqual(whole.stdout, run(self.folder, "import", "a").stdout)
        self.assertEqual(whole.stdout, run(self.folder, "import", "--format", "short", *files).stdout)


class Lint(unittest.TestCase):
    def findings(self, text, name="pool.tf.json", notes=False):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, name).write_bytes(text if isinstance(text, bytes) else text.encode())
            done = run(folder, "lint", "--format", "json", *["--notes"] * notes, name)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            return json.loads(done.stdout)

    def test_good(self):
        for name, write in BOTH:
            self.assertEqual([], self.findings(write(document(pool())), name))
            for example in EXAMPLES:
                for file, text in expected.compiled(expected.ROOT / "examples" / example).items():
                    if file.endswith(".tf.json"):
                        self.assertEqual([], self.findings(write(text.decode()), name), example)

    def test_mistakes(self):
        """Each is found at its value, with the code that the gcloud command has, and without a fix in gcloud's words."""
        rows = [
            ("FS3011 FS3003", "ct5p-hightpu-3t", pool(node_config={"machine_type": "ct5p-hightpu-3t"})),
            ("FS3011 FS3003", "ct5p-hightmem-4t", pool(node_config={"machine_type": "ct5p-hightmem-4t"})),
            ("FS3002", "4x6", pool(placement_policy={"tpu_topology": "4x6"})),
            ("FS4001 FS5024 FS5025", "5", pool(node_count=5)),
            ("FS5027", "cloud.google.com/gke-nodepool", pool(node_config={"labels": {"a": "b", "cloud.google.com/gke-nodepool": "np"}})),
            ("FS4002", "mars-east1-b", pool(node_locations=["mars-east1-b"])),
        ]
        for (codes, value, body), (name, write) in itertools.product(rows, BOTH):
            with self.subTest(value=value, file=name):
                text = write(document(body))
                found = self.findings(text, name)
                self.assertTrue(found)
                self.assertLessEqual({each["code"] for each in found}, set(codes.split()), found)
                line = text.splitlines()[found[0]["line"] - 1]
                self.assertEqual(value, line[found[0]["column"] - 1:].strip('"')[:len(value)])
                self.assertEqual([], [fix for each in found for fix in each["fixes"]])

    def test_expressions(self):
        """A variable with a default has its value, and so has a local; what is not known is not judged."""
        body = pool(placement_policy={"tpu_topology": "${var.topology}"})
        for name, write in BOTH:
            self.assertEqual([], self.findings(write(document(body)), name))
            self.assertEqual([], self.findings(write(document(body, variable={"topology": {"default": "4x4"}})), name))
            for value in ("4x6", "${local.topology}"):
                text = write(document(body, variable={"topology": {"default": value}}, locals={"topology": "4x6"}))
                found = self.findings(text, name)
                self.assertEqual(["FS3002"], [each["code"] for each in found])
                self.assertIn("tpu_topology", text.splitlines()[found[0]["line"] - 1])
            nested = document(pool(placement_policy={"tpu_topology": "${var.tpu.shapes.wide}"}),
                              variable={"tpu": {"default": {"shapes": {"wide": "4x6"}, "wide": "${var.tpu.shapes.wide}"}}})
            self.assertEqual(["FS3002"], [each["code"] for each in self.findings(write(nested), name)])
            self.assertEqual([], self.findings(write(nested.replace("shapes.wide", "wide.wide")), name))
            circle = {"topology": "${local.topology}"}
            self.assertEqual([], self.findings(write(document(body, variable={"topology": {"default": circle["topology"]}}, locals=circle)), name))
        for expression in ('"${var.a}x${var.b}"', 'var.wide ? "4x6" : "4x4"', 'lookup(var.all, "4x6")', '[for each in var.all : each][0]', '"4x6" == var.a',
                           '"4x%{ if true }6%{ endif }"', '"\\u0034x6"', "<<-EOT\n  4x${var.b}\n  EOT", "<<-EOT\n  4x6\n  EOT", '"4x6" # }"\n'):
            found = self.findings(hcl(document(body)).replace("var.topology", expression), "pool.tf")
            self.assertEqual(["FS3002"] if "#" in expression else [], [each["code"] for each in found], expression)

    def test_words(self):
        """A finding names arguments, and no flag of gcloud."""
        table = yaml.safe_load((expected.ROOT / "src/extract/terraform.yaml").read_text())
        bodies = [pool(node_count=5, initial_node_count=5), pool(node_config={"flex_start": True, "max_run_duration": "60s"}),
                  pool(node_locations=["us-east5-a", "us-east5-b"]), pool(placement_policy={"tpu_topology": "v6e-16"}),
                  pool(node_config={"machine_type": "tpu7x-standard-4t"}, placement_policy={"tpu_topology": "2x2x2"}),
                  pool(node_config={"spot": False, "reservation_affinity": {"consume_reservation_type": "NO_RESERVATION", "key": "compute.googleapis.com/reservation-name", "values": ["r"]}}),
                  pool(node_config={"disk_type": "pd-ssd", "labels": {"a": "b c"}}, node_locations=["mars"])]
        seen = set()
        for body, (name, write) in itertools.product(bodies, BOTH):
            found = self.findings(write(document(body)), name)
            self.assertTrue(found, body)
            for each in found:
                words = " ".join([each["message"], *each["notes"], *each["helps"], *(related["message"] for related in each.get("related", []))])
                self.assertNotRegex(words, "--[a-z]|gcloud")
                seen |= {path for row in table for path in row["arguments"] if path in words}
        self.assertLessEqual({"node_count", "node_locations", "placement_policy.tpu_topology", "placement_policy.policy_name", "node_config.flex_start",
                              "node_config.reservation_affinity.consume_reservation_type", "autoscaling"}, seen)

    def test_not_judged(self):
        """Where an argument that a rule judges is not known, that is said; of the others it is not."""
        [table] = [row for row in yaml.safe_load((expected.ROOT / "src/extract/terraform.yaml").read_text()) if row["resource"] == "google_container_node_pool"]
        self.assertLessEqual(set(table["notJudged"]), set(table["arguments"]))
        for path, meant in table["arguments"].items():
            if path == "autoscaling" or (isinstance(meant, dict) and not any(meant.values())):
                continue
            body = pool()
            *above, last = path.split(".")
            inner = body
            for key in above:
                inner = inner.setdefault(key, {})
            inner[last] = "${var.open}"
            if path == "node_config.machine_type":
                continue  # nothing says then that it is a pool of TPUs
            found = self.findings(document(body), notes=True)
            self.assertEqual([] if path in table["notJudged"] else [path], re.findall("`(.*?)`", "".join(each["message"] for each in found if each["code"] == "FS5034")), path)

    def test_what_may_be_null(self):
        """An argument whose value is not known may be left out."""
        for values, codes in (("${var.values}", []), (["r"], ["FS5024"])):
            affinity = {"consume_reservation_type": "NO_RESERVATION", "key": "compute.googleapis.com/reservation-name", "values": values}
            body = pool(node_config={"spot": False, "reservation_affinity": affinity})
            for name, write in BOTH:
                self.assertEqual(codes, [each["code"] for each in self.findings(write(document(body)), name)], values)

    def test_names_of_resources(self):
        """An argument of another resource has its value, unless there are several of it."""
        policy = 'resource "google_compute_resource_policy" "p" {\n  name = "other"\n  workload_policy {\n    type = "HIGH_THROUGHPUT"\n  }\n  region = "us-east5"\n}\n'
        text = policy + hcl(document(pool(node_locations="${google_compute_resource_policy.p.zones}")))
        for zones, codes in (('["mars-east1-b"]', ["FS4002"]), ('["mars-east1-b"]\n  count = 2', [])):
            found = self.findings(text.replace('"us-east5"\n}', f'"us-east5"\n  zones = {zones}\n}}', 1), "pool.tf")
            self.assertEqual(codes, [each["code"] for each in found])

    def test_comments(self):
        """A comment allows a finding; what is in a string is no comment."""
        text = hcl(document(pool(placement_policy={"tpu_topology": "4x6"})))
        allowed = re.sub(r'(.*"4x6".*)', r"\1  # flexslice: allow FS3002 - tried by hand", text)
        self.assertEqual([], self.findings(allowed, "pool.tf"))
        quoted = text.replace("name = ", 'description = "# flexslice: allow FS3002 - no"\nname = ')
        self.assertEqual(["FS3002"], [each["code"] for each in self.findings(quoted, "pool.tf")])

    def test_hostile(self):
        """Nothing is judged in what is no Terraform, fast."""
        good = hcl(document(pool(placement_policy={"tpu_topology": "4x6"})))
        cut = [good[:at] for at in range(0, len(good), 7)]
        deep = [good + "a = " + each * 200_000 for each in ("[", "{", "(", '"${', "[{a=", "/*", "<<A\n")]
        blocks = good + "b {\n" * 200_000
        many = good + "resource a b {\n" + "c = [1, 2]\n" * 90_000 + "}\n"
        binary = [good.encode() + bytes(range(256)) * 100, bytes(reversed(range(256))) + good.encode()]
        begin = time.monotonic()
        for text in [*cut, *deep, blocks, many, *binary]:
            self.findings(text, "pool.tf")
        self.assertLess(time.monotonic() - begin, 120)
        self.assertEqual(["FS3002"], [each["code"] for each in self.findings(good + "a = " + "(" * 50_000 + ")" * 50_000, "pool.tf")])

    def test_summary(self):
        """A directory's .tf files are read, and those that are not readable are counted."""
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "good.tf").write_text(hcl(document(pool())))
            pathlib.Path(folder, "bad.tf").write_text(hcl(document(pool())) + '"')
            self.assertIn("2 files, 2 with TPUs", run(folder, "lint").stderr)
            self.assertIn("1 fragment not read", run(folder, "lint").stderr)


if __name__ == "__main__":
    unittest.main()
