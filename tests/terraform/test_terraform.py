"""NAME.tf.json of every example and of every provisioning model: its arguments exist, and it makes the node pools that the scripts make."""
import collections
import functools
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import yaml

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER.parent / "e2e"), str(FOLDER.parent / "golden")]
import expected  # noqa: E402
from expectations import EXAMPLES  # noqa: E402
from test_models import ROWS  # noqa: E402

DATA = yaml.safe_load((FOLDER / "arguments.yaml").read_text())
META = {"lifecycle", "depends_on"}
MAPS = {"labels", "resource_labels", "resourceLabels"}


def made(spec, folder):
    done = subprocess.run([expected.FLEXSLICE, "compile", "--color", "never", "--emit", "terraform", spec], cwd=folder,
                          capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.stdout else None, done


@functools.cache
def documents():
    """Title -> (the document, or None where nothing is created; the requests that gcloud sends in its place)."""
    found = {}
    for name, meant in EXAMPLES.items():
        found[name] = made("spec.yaml", expected.ROOT / "examples" / name)[0], meant
    for title, row in ROWS.items():
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "spec.yaml").write_text(row.spec)
            found[title] = made("spec.yaml", folder)[0], row.meant
    return found


# One document for each set of arguments.
SPECS = {title: ROWS[title].spec for title in ("spot v6e", "spot tpu7x", "queued tpu7x", "block of a reservation", "new cluster in a zone")}


def stated_version(spec, stated):
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "spec.yaml").write_text(spec)
        return subprocess.run([expected.FLEXSLICE, "compile", "--color", "never", "--emit", "terraform", "--terraform-google-version", stated, "spec.yaml"],
                              cwd=folder, capture_output=True, text=True, check=False)


def resources(document):
    """(type, name, body) of every resource."""
    return [(kind, name, body) for kind, items in (document or {}).get("resource", {}).items() for name, body in items.items()]


def pools():
    for title, (document, _) in documents().items():
        for kind, name, body in resources(document):
            if kind == "google_container_node_pool":
                yield title, document, name, body


def arguments(body, prefix=""):
    """(path, value) of every argument; a block may be an object or a list of one."""
    for key, value in body.items():
        path = prefix + key
        if path in META:
            continue
        if isinstance(value, list) and value and isinstance(value[0], dict):
            [value] = value
        if isinstance(value, dict) and value and key not in MAPS:
            yield from arguments(value, path + ".")
        else:
            yield path, value


def put(body, path, value):
    *outer, last = path.split(".")
    for key in outer:
        body = body.setdefault(key, {})
    body[last] = value


def request(kind, body):
    """What the provider sends to create the resource."""
    sent = {}
    for path, value in arguments(body):
        field = DATA[kind][path].get("api")
        if field and value != "":
            put(sent, field, sorted(value) if field == "locations" else value)
    if kind == "google_container_node_pool":
        sent["management"] = {"autoRepair": True, "autoUpgrade": True} | sent["management"]
        if "autoscaling" in sent:
            sent["autoscaling"]["enabled"] = True
    return sent


def owned(value, owner):
    """With the label of another owner in the place of the scripts' two, by which cleanup.sh knows what it may delete."""
    if isinstance(value, list):
        return [owned(each, owner) for each in value]
    if not isinstance(value, dict):
        return value
    labels = {key: owned(each, owner) for key, each in value.items() if key not in ("flexslice", "flexslice-namespace")}
    return labels | ({"flexslice-owner": owner} if "flexslice" in value else {})


def of_gcloud(pool):
    """The same of gcloud, without the defaults that it alone spells out."""
    pool = {key: value for key, value in pool.items() if key != "upgradeSettings"} | {"locations": sorted(pool["locations"])}
    if pool.get("initialNodeCount") == 0:
        del pool["initialNodeCount"]
    if "maxPodsConstraint" in pool:  # gcloud writes numbers of 64 bits as texts
        pool["maxPodsConstraint"] = {"maxPodsPerNode": int(pool["maxPodsConstraint"]["maxPodsPerNode"])}
    return pool


def of_gcloud_cluster(cluster):
    """A cluster with what gcloud says of its default pool in the provider's place for it, and without gcloud's defaults."""
    cluster = dict(cluster)
    [pool] = cluster.pop("nodePools")
    cluster.pop("ipAllocationPolicy", None)
    if "autopilot" not in cluster:
        cluster["initialNodeCount"] = pool["initialNodeCount"]
        config = {key: value for key, value in pool["config"].items() if key != "resourceLabels"}
        if config:
            cluster["nodeConfig"] = config
    if "addonsConfig" in cluster:
        cluster["addonsConfig"] = {key: value for key, value in cluster["addonsConfig"].items() if "enabled" in value}
    return cluster


def version(text):
    return tuple(int(part) for part in str(text).split("."))


def below(path, paths):
    return any(path == each or path.startswith(each + ".") for each in paths)


def ignored(body):
    return [re.sub(r"\[0\]", "", path) for path in body["lifecycle"]["ignore_changes"]]


class Arguments(unittest.TestCase):
    """Names and nesting, against the data of the provider."""

    def test_every_argument_is_known(self):
        minimums = collections.defaultdict(set)
        for title, (document, _) in documents().items():
            for kind, name, body in resources(document):
                if kind == "terraform_data":
                    self.assertEqual({"input"}, set(body), title)
                    continue
                with self.subTest(document=title, resource=f"{kind}.{name}"):
                    for path in [path for path, _ in arguments(body)] + (ignored(body) if "lifecycle" in body else []):
                        self.assertIn(path, DATA[kind])
                        minimums[title].add(version(DATA[kind][path].get("since", "4.0.0")))
        for title, (document, _) in documents().items():
            if document:
                [stated] = re.findall(r">= ([\d.]+),", document["terraform"]["required_providers"]["google"]["version"])
                self.assertGreaterEqual(version(stated), max(minimums[title]), title)

    def test_stated_versions(self):
        """Of every document, each argument that the stated release lacks is reported, with the first that has it, and nothing else."""
        catalog = yaml.safe_load((expected.ROOT / "src/catalog/data/terraform.yaml").read_text())["terraform"]
        rows = {each["name"]: each["since"] for each in catalog["arguments"]}
        for kind, table in DATA.items():
            for path, row in table.items() if isinstance(table, dict) else ():
                name = f"{kind}.{path}"
                covering = [each for each in rows if below(name, [each])]
                late = version(row.get("since", "4.0.0")) > version(catalog["oldest"])
                self.assertEqual([row["since"]] if late else [], [rows[each] for each in covering], name)
        for title, spec in SPECS.items():
            document = documents()[title][0]
            written = {f"{kind}.{path}" for kind, _, body in resources(document) if kind != "terraform_data"
                       for path in [path for path, _ in arguments(body)] + (ignored(body) if "lifecycle" in body else [])}
            needed = {name: since for name, since in rows.items() if any(below(each, [name]) for each in written)}
            for stated in sorted({catalog["oldest"], "6.18.9", *needed.values()}, key=version):
                done = stated_version(spec, stated)
                lacking = {name: since for name, since in needed.items() if version(since) > version(stated)}
                found = dict(zip(re.findall(r"FS4211\]: hashicorp/google \S+ has no argument `(\S+)` of (\S+)", done.stderr),
                                 re.findall(r"available since hashicorp/google (\S+)", done.stderr), strict=True))
                self.assertEqual(lacking, {f"{kind}.{path}": since for (path, kind), since in found.items()}, f"{title} {stated}")
                self.assertEqual(1 if lacking else 0, done.returncode, done.stderr)
                if not lacking:
                    range_ = document["terraform"]["required_providers"]["google"]["version"]
                    self.assertEqual(json.dumps(document).replace(range_, f">= {stated}, < 9.0.0"), json.dumps(json.loads(done.stdout)), title)

    def test_every_row_is_written_by_some_document(self):
        written = {(kind, path) for document, _ in documents().values() for kind, _, body in resources(document) if kind != "terraform_data"
                   for path in [path for path, _ in arguments(body)] + (ignored(body) if "lifecycle" in body else [])}
        self.assertEqual({(kind, path) for kind, rows in DATA.items() if isinstance(rows, dict) for path in rows} - written, set())

    def test_references(self):
        """Whatever is named in plain text is a resource of the document."""
        for title, (document, _) in documents().items():
            names = {f"{kind}.{name}" for kind, name, _ in resources(document)}
            for kind, name, body in resources(document):
                named = body.get("depends_on", []) + body.get("lifecycle", {}).get("replace_triggered_by", [])
                self.assertLessEqual(set(named), names, f"{title}: {kind}.{name}")
                self.assertRegex(name, r"^[a-z][-a-z0-9]*$")
                if kind == "google_container_node_pool":
                    created = {each for each in names if each.startswith(("google_container_cluster.", "google_compute_resource_policy."))}
                    self.assertEqual(created, set(body.get("depends_on", [])), title)


class SamePool(unittest.TestCase):
    """Terraform sends what gcloud sends; what gcloud sends is written by hand in e2e/expectations.py and e2e/test_models.py."""

    maxDiff = None

    def test_requests(self):
        for title, (document, meant) in documents().items():
            with self.subTest(document=title):
                sent = {}
                for kind, _, body in resources(document):
                    made = request(kind, body) if kind != "terraform_data" else body
                    for each in ("config", "nodeConfig"):
                        made.get(each, {}).pop("oauthScopes", None)  # gcloud adds some by itself, and expectations.py leaves them out
                    sent.setdefault(kind, []).append(made)
                self.assertEqual(owned([of_gcloud(pool) for pool in meant.pools], "terraform"), sent.get("google_container_node_pool", []))
                policies = [{key: value for key, value in policy.items() if key != "description"} for policy in meant.policies]
                self.assertEqual(policies, sent.get("google_compute_resource_policy", []))
                clusters = [of_gcloud_cluster(meant.new_cluster)] if meant.new_cluster else []
                self.assertEqual(owned(clusters, "terraform"), sent.get("google_container_cluster", []))
                self.assertEqual(len(clusters), len(sent.get("google_project_service", [])))
                self.assertEqual(len(meant.pools), len(sent.get("terraform_data", [])))

    def test_parents(self):
        for title, (document, meant) in documents().items():
            for kind, _, body in resources(document):
                if kind == "google_container_node_pool":
                    self.assertEqual((meant.cluster, meant.location), (body["cluster"], body["location"]), title)
                if kind.startswith("google_"):
                    self.assertIn(body["project"], (meant.project, "${var.project}"), title)

    def test_nothing_is_created(self):
        for title, (document, meant) in documents().items():
            self.assertEqual(document is None, not meant.pools and not meant.new_cluster, title)


class PlansThatEnd(unittest.TestCase):
    """What the provider plans and never sends is ignored, and whatever is ignored replaces the pool when it changes."""

    def test_ignored(self):
        for title, _, name, body in pools():
            for path, _ in arguments(body):
                if DATA["google_container_node_pool"][path].get("change") == "never":
                    self.assertTrue(below(path, ignored(body)), f"{title}: {path}")
            self.assertNotIn("initial_node_count", body, "its change replaces the pool")
            self.assertEqual("autoscaling" in body, "node_count" not in body, "the autoscaler changes it")
            self.assertEqual([f"terraform_data.{name}"], body["lifecycle"]["replace_triggered_by"])

    def test_replaced(self):
        """Two pools that differ in what is ignored, or in what GKE may refuse to change, have different triggers."""
        seen = 0
        for (one, a, name_a, body_a), (other, b, name_b, body_b) in itertools.combinations(list(pools()), 2):
            def only_new(body):
                return {path: value for path, value in arguments(body) if below(path, ignored(body)) or
                        DATA["google_container_node_pool"][path].get("change")}
            if only_new(body_a) != only_new(body_b):
                seen += 1
                triggers = [document["resource"]["terraform_data"][name]["input"] for document, name in ((a, name_a), (b, name_b))]
                self.assertNotEqual(*triggers, f"{one}, {other}")
        self.assertGreater(seen, 100)


class Text(unittest.TestCase):
    def test_expressions(self):
        """Nothing of a spec is an expression; the project is one where the spec has none."""
        def texts(value):
            if isinstance(value, str):
                yield value
            for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
                yield from texts(each)
            for key in value if isinstance(value, dict) else []:
                yield key
        for title, (document, _) in documents().items():
            found = {text for text in texts(document or {}) if "${" in text or "%{" in text}
            self.assertEqual({"${var.project}"} if "variable" in (document or {}) else set(), found, title)

    def test_hostile(self):
        """No field that reaches the document takes a text that Terraform would evaluate."""
        spec = {"apiVersion": "flexslice/v1", "name": "t", "labels": {"team": "a"},
                "cluster": {"name": "c", "location": "us-east5", "project": "p-1", "version": "1.34.1", "create": True},
                "tpu": {"type": "v6e", "topology": "2x2", "machineType": "ct6e-standard-4t"},
                "provisioning": {"model": "reservation", "zones": ["us-east5-b"], "reservation": "r", "nodePool": "np", "diskSize": "200Gi"},
                "workload": {"image": "busybox", "nodeSelector": {"team": "a"}}}
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "spec.yaml")

            def compiled():
                path.write_text(json.dumps(spec))
                return made("spec.yaml", folder)
            self.assertIsNotNone(compiled()[0])
            tried = 0
            for block in (spec, spec["cluster"], spec["tpu"], spec["provisioning"], spec["labels"], spec["workload"]["nodeSelector"]):
                for key, value in list(block.items()):
                    if key in ("apiVersion", "create", "image") or isinstance(value, dict):
                        continue
                    for hostile in ("${file(\"/etc/passwd\")}", "a${1}", "%{if true}a%{endif}"):
                        block[key] = [hostile] if isinstance(value, list) else hostile
                        self.assertEqual(1, compiled()[1].returncode, f"{key}: {hostile}")
                        tried += 1
                    block[key] = value
            self.assertGreater(tried, 40)

    def test_comments(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "spec.yaml")
            path.write_text(ROWS["spot v6e"].spec)
            with_comments = made("spec.yaml", folder)[0]
            without = json.loads(subprocess.run([expected.FLEXSLICE, "compile", "--no-comments", "--emit", "terraform", path],
                                                capture_output=True, text=True, check=True).stdout)
        self.assertIn("compiled by flexslice from spec.yaml", with_comments.pop("//"))
        self.assertEqual(with_comments, without)


if __name__ == "__main__":
    unittest.main()
