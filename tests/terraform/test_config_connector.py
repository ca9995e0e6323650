"""config-connector.yaml of every example and provisioning model: its fields exist and it makes the pools that the scripts make, or it is refused."""
import functools
import json
import pathlib
import subprocess
import tempfile
import unittest

import test_terraform as terraform
import yaml

from test_terraform import EXAMPLES, FOLDER, ROWS, arguments, expected, of_gcloud, of_gcloud_cluster, owned, put
from expectations import WITH_BUCKETS, spot, standard_cluster
from test_models import Row

FIELDS = yaml.safe_load((FOLDER / "fields.yaml").read_text())
# The examples that create such a cluster have flex-start.
MORE = {"new cluster with a bucket": Row(
    "type: v4, topology: 2x2x1", "model: spot, zones: [us-central2-b]", "us-central2", spot("t-pool", "us-central2-b", "ct4p-hightpu-4t", 1),
    cluster=", create: true, project: my-project", project="my-project",
    workload=", serviceAccount: t, volumes: [{name: data, mountPath: /data, gcs: {bucket: bucket}}]",
    new_cluster=standard_cluster("c", machine="n2-standard-2", **WITH_BUCKETS))}


def made(spec, folder):
    done = subprocess.run([expected.FLEXSLICE, "compile", "--color", "never", "--format", "short", "--emit", "config-connector", spec],
                          cwd=folder, capture_output=True, text=True, check=False)
    return [each for each in yaml.safe_load_all(done.stdout) if each] if done.stdout else [], done.stderr


@functools.cache
def documents():
    found = {name: (made("spec.yaml", expected.ROOT / "examples" / name), meant) for name, meant in EXAMPLES.items()}
    for title, row in (ROWS | MORE).items():
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "spec.yaml").write_text(row.spec)
            found[title] = made("spec.yaml", folder), row.meant
    return found


def request(item):
    sent = {"name": item["metadata"]["name"]}
    for path, value in arguments(item["spec"]):
        field = FIELDS[item["kind"]][path].get("api")
        if field and value != "":
            put(sent, field, sorted(value) if field == "locations" else value)
    if item["kind"] == "ContainerNodePool":
        sent["management"] = {"autoRepair": True} | sent["management"]
    if "autoscaling" in sent:
        sent["autoscaling"]["enabled"] = True
    if item["kind"] == "ContainerCluster":
        sent["resourceLabels"] = item["metadata"]["labels"]
    return sent


def lacking(meant):
    """The fields that the objects would need, from the requests that are meant."""
    fields = set()
    for pool in meant.pools:
        fields |= {"flexStart", "maxRunDuration"} & set(pool["config"])
    if meant.policies:
        fields.add("workloadPolicy")
    if meant.new_cluster:
        fields |= {"rayOperatorConfig", "highScaleCheckpointingConfig"} & set(meant.new_cluster.get("addonsConfig", {}))
    return fields


class SamePool(unittest.TestCase):
    """Names and nesting are those of the CRDs, and the requests those of gcloud."""

    maxDiff = None

    def test_refused(self):
        refused = 0
        for title, ((objects, errors), meant) in documents().items():
            with self.subTest(document=title):
                fields = {line.rsplit("`", 2)[1] for line in errors.splitlines() if "FS4210" in line}
                self.assertEqual(lacking(meant), fields)
                if fields:
                    refused += 1
                    self.assertEqual([], objects)
        self.assertGreater(refused, 10)

    def test_requests(self):
        pools = 0
        for title, ((objects, errors), meant) in documents().items():
            if lacking(meant):
                continue
            with self.subTest(document=title):
                sent = {kind: [request(each) for each in objects if each["kind"] == kind] for kind in FIELDS if kind.startswith("Container")}
                for each in [*sent["ContainerNodePool"], *sent["ContainerCluster"]]:
                    for key in ("config", "nodeConfig"):
                        each.get(key, {}).pop("oauthScopes", None)  # gcloud adds some by itself, and expectations.py leaves them out
                self.assertEqual(owned([of_gcloud(pool) for pool in meant.pools], "config-connector"), sent["ContainerNodePool"])
                clusters = [of_gcloud_cluster(meant.new_cluster)] if meant.new_cluster else []
                self.assertEqual(owned(clusters, "config-connector"), sent["ContainerCluster"])
                self.assertEqual(len(objects), sum(map(len, sent.values())))
                pools += len(meant.pools)
        self.assertGreater(pools, 10)

    def test_terraform_asks_for_the_same(self):
        """Field by field, with no table of gcloud's between: every example and model that both can say."""
        seen = 0
        for title, ((objects, _), _) in documents().items():
            if title not in terraform.documents() or not objects:
                continue
            for kind, resource in (("ContainerNodePool", "google_container_node_pool"), ("ContainerCluster", "google_container_cluster")):
                with self.subTest(document=title, kind=kind):
                    said = [terraform.request(resource, body) for other, _, body in terraform.resources(terraform.documents()[title][0]) if other == resource]
                    said = json.loads(json.dumps(said).replace('"flexslice-owner": "terraform"', '"flexslice-owner": "config-connector"'))
                    self.assertEqual([dict(arguments(each)) for each in said], [dict(arguments(request(each))) for each in objects if each["kind"] == kind])
                    seen += len(said)
        self.assertGreater(seen, 10)

    def test_parents(self):
        for title, ((objects, _), meant) in documents().items():
            for each in objects:
                self.assertEqual(meant.location, each["spec"]["location"], title)
                self.assertIn(each["metadata"]["annotations"].get("cnrm.cloud.google.com/project-id"), (meant.project, None))
                if each["kind"] == "ContainerNodePool":
                    self.assertEqual({"name" if meant.new_cluster else "external": meant.cluster}, each["spec"]["clusterRef"], title)

    def test_every_field_is_written(self):
        written = {(each["kind"], path) for (objects, _), _ in documents().values() for each in objects for path, _ in arguments(each["spec"])}
        # flex-start needs it, which the CRDs lack.
        unwritten = {("ContainerNodePool", "autoscaling.locationPolicy")}
        unwritten.add(("ContainerNodePool", "management.autoRepair"))
        self.assertEqual({(kind, path) for kind, rows in FIELDS.items() if isinstance(rows, dict) for path in rows} - written, unwritten)


if __name__ == "__main__":
    unittest.main()
