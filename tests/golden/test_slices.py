"""Slices that are parts of node pools, or several of them: what is made of them, written by hand from the documentation."""
import json
import pathlib
import subprocess
import tempfile
import unittest

import yaml

import expected

SPEC = """
apiVersion: flexslice/v1
name: tune
cluster: {name: research, location: us-central1}
tpu: {type: tpu7x, topology: 2x2x2, slices: 6}
provisioning:
  model: reservation
  zones: [us-central1-c]
  reservation: projects/acme/reservations/ironwood/reservationBlocks/block-1
  queue: team-a
  poolTopology: 4x4x4
workload:
  kind: jobset
  image: python:3.12
  command: [python, tune.py]
"""
SHAPES = ["4x4x4", "2x4x4", "2x2x4", "2x2x2", "2x2x1"]


def run(*words, stdin=SPEC):
    done = subprocess.run([expected.FLEXSLICE, *words], input=stdin, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def compiled(emit, spec=SPEC):
    status, out, errors = run("compile", "--emit", emit, "--no-comments", "--gcloud-version", "588.0.0", "-", stdin=spec)
    assert status == 0, errors
    return out


def objects(emit, spec=SPEC):
    return {each["kind"]: each for each in yaml.safe_load_all(compiled(emit, spec))}


def commands(spec=SPEC):
    """The command lines of provision.sh, by the word after `gcloud`."""
    with tempfile.TemporaryDirectory() as folder:
        script = pathlib.Path(folder) / "provision.sh"
        script.write_text(compiled("provision", spec))
        out = subprocess.run(["bash", str(script), "--dry-run"], capture_output=True, text=True, check=True).stdout
    return [line.split() for line in out.splitlines() if line.lstrip().startswith("gcloud")]


def pod_of(jobset):
    return jobset["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]


class Dynamic(unittest.TestCase):
    def test_workload(self):
        """The pods ask for the shape; nodes have no topology until their slice is formed."""
        jobset = objects("manifests")["JobSet"]
        job = jobset["spec"]["replicatedJobs"][0]
        self.assertEqual((6, 2, 2), (job["replicas"], job["template"]["spec"]["parallelism"], job["template"]["spec"]["completions"]))
        self.assertEqual("team-a", jobset["metadata"]["labels"]["kueue.x-k8s.io/queue-name"])
        pod = pod_of(jobset)
        self.assertEqual({"cloud.google.com/gke-tpu-slice-topology": "2x2x2"}, pod["metadata"]["annotations"])
        self.assertEqual(objects("queues")["ResourceFlavor"]["spec"]["nodeLabels"], pod["spec"]["nodeSelector"])
        self.assertNotIn("affinity", pod["spec"])
        self.assertIn({"key": "google.com/tpu", "operator": "Exists", "effect": "NoSchedule"}, pod["spec"]["tolerations"])
        self.assertEqual("4", pod["spec"]["containers"][0]["resources"]["limits"]["google.com/tpu"])
        self.assertNotIn("alpha.jobset.sigs.k8s.io/exclusive-topology", jobset["metadata"].get("annotations", {}))

    def test_group(self):
        """Its pods are there before they have the label of the topology, without which GKE's webhook refuses pods with chips."""
        check = "cloud.google.com/skip-tpu-webhook-check"
        spec = SPEC.replace("kind: jobset", "kind: leaderworkerset\n  leader: {command: [lead]}").replace("2x2x2, slices: 6", "2x2x2")
        group = objects("manifests", spec)["LeaderWorkerSet"]["spec"]["leaderWorkerTemplate"]
        for template in ("leaderTemplate", "workerTemplate"):
            self.assertEqual({"cloud.google.com/gke-tpu-slice-topology": "2x2x2", check: "true"}, group[template]["metadata"]["annotations"])
        self.assertNotIn(check, compiled("manifests", spec.replace("  poolTopology: 4x4x4\n", "")))

    def test_queue(self):
        made = objects("queues")
        labels = [f"cloud.google.com/gke-tpu-partition-{shape}-id" for shape in SHAPES]
        self.assertEqual(["cloud.google.com/gce-topology-block", *labels, "kubernetes.io/hostname"],
                         [level["nodeLabel"] for level in made["Topology"]["spec"]["levels"]])
        flavor = made["ResourceFlavor"]
        self.assertEqual({"cloud.google.com/gke-tpu-accelerator": "tpu7x", "cloud.google.com/gke-accelerator-topology-mode": "PROVISION_ONLY"},
                         flavor["spec"]["nodeLabels"])
        self.assertEqual(made["Topology"]["metadata"]["name"], flavor["spec"]["topologyName"])
        check = made["AdmissionCheck"]
        self.assertEqual({"controllerName": "accelerator.gke.io/slice"}, check["spec"])
        self.assertNotIn("ProvisioningRequestConfig", made)
        queue = made["ClusterQueue"]["spec"]
        self.assertEqual([{"name": check["metadata"]["name"], "onFlavors": [flavor["metadata"]["name"]]}],
                         queue["admissionChecksStrategy"]["admissionChecks"])
        self.assertEqual(48, int(queue["resourceGroups"][0]["flavors"][0]["resources"][0]["nominalQuota"]))

    def test_slices_of_all_shapes_share_a_flavor(self):
        """Kueue counts the nodes of a flavor: two flavors would give the same nodes away twice."""
        large = SPEC.replace("name: tune", "name: train").replace("2x2x2, slices: 6", "4x4x8")
        made = list(yaml.safe_load_all(compiled("queues", SPEC + "---" + large)))
        self.assertEqual(1, sum(each["kind"] == "ResourceFlavor" for each in made))
        self.assertEqual(1, sum(each["kind"] == "Topology" for each in made))
        queue = next(each for each in made if each["kind"] == "ClusterQueue")
        self.assertEqual(48 + 128, int(queue["spec"]["resourceGroups"][0]["flavors"][0]["resources"][0]["nominalQuota"]))

    def test_pools(self):
        """A sub-block is a pool of 16 nodes, whatever the slices are."""
        policy, pool = commands()
        self.assertTrue({"--type=HIGH_THROUGHPUT", "--accelerator-topology=4x4x4", "--accelerator-topology-mode=PROVISION_ONLY"} <= set(policy))
        self.assertTrue({"--num-nodes=16", "--machine-type=tpu7x-standard-4t", "--placement-policy=tune-research-policy", "--reservation-affinity=specific",
                         "--reservation=projects/acme/reservations/ironwood/reservationBlocks/block-1"} <= set(pool), pool)
        self.assertFalse([word for word in pool if word.startswith("--tpu-topology")])
        for topology, slices, pools in (("4x4x8", 1, 2), ("4x8x8", 2, 8), ("2x4x4", 3, 2), ("4x4x4", 1, 1)):
            lines = commands(SPEC.replace("2x2x2, slices: 6", f"{topology}, slices: {slices}"))
            self.assertEqual(pools, sum("node-pools" in line for line in lines), topology)
            self.assertEqual(1, sum("workload-policy" in line for line in lines), topology)

    def test_gcloud_has_the_flag_since(self):
        for version, status in (("566.0.0", 1), ("567.0.0", 0)):
            done = run("compile", "--emit", "provision", "--gcloud-version", version, "-")
            self.assertEqual((status, status == 1), (done[0], "--accelerator-topology-mode" in done[2]))

    def test_explain(self):
        text = " ".join(run("explain", "--gcloud-version", "588.0.0", "-")[1].split())
        for part in ("dynamic slicing on 1 node pool of 4x4x4", "1.36.0-gke.3712000", "slice controllers of GKE and Kueue", "0.18.2", "0.12.0", "All Capacity mode"):
            self.assertIn(part, text)

    def test_other_outputs(self):
        for emit in ("terraform", "config-connector"):
            status, out, errors = run("compile", "--emit", emit, "-")
            self.assertEqual((1, ""), (status, out))
            self.assertIn("FS4210", errors)
        self.assertIn("1 node pool of 4x4x4", compiled("picture"))
        status, _, errors = run("check", "-", stdin=SPEC.replace("  queue: team-a\n", "  fallback: [spot]\n"))
        self.assertEqual((1, True), (status, "`fallback` and `poolTopology`" in errors + _))

    def test_another_shape_keeps_the_pools(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, spec in (("old", SPEC), ("new", SPEC.replace("2x2x2, slices: 6", "2x2x4, slices: 3"))):
                (pathlib.Path(folder) / f"{name}.yaml").write_text(spec)
            out = run("diff", "--format", "json", f"{folder}/old.yaml", f"{folder}/new.yaml")[1]
        [change] = json.loads(out)["changes"]
        self.assertEqual(["JobSet"], [resource["kind"] for resource in change["resources"]])

    def test_import(self):
        """With the queue's objects the spec comes back; without them its pods cannot be described."""
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for emit in ("manifests", "queues", "provision"):
                path = pathlib.Path(folder) / (emit + (".sh" if emit == "provision" else ".yaml"))
                path.write_text(compiled(emit))
                paths.append(str(path))
            status, out, errors = run("import", "--gcloud-version", "588.0.0", *paths)
            self.assertEqual(0, status, errors)
            wanted = yaml.safe_load(SPEC)
            del wanted["workload"]["kind"]  # the kind of several slices
            self.assertEqual(wanted, yaml.safe_load(out))
            self.assertEqual(1, run("import", paths[0])[0])


class Static(unittest.TestCase):
    SPEC = SPEC.replace("us-central1-c", "us-east5-b").replace("us-central1", "us-east5").replace(
        "type: tpu7x, topology: 2x2x2, slices: 6", "type: v6e, topology: 4x4, slices: 4").replace("model: reservation", "model: spot").replace(
        "  reservation: projects/acme/reservations/ironwood/reservationBlocks/block-1\n", "").replace("4x4x4", "8x8")

    def test_objects(self):
        pod = pod_of(objects("manifests", self.SPEC)["JobSet"])
        self.assertEqual({"cloud.google.com/gke-tpu-slice-topology": "4x4", "kueue.x-k8s.io/podset-slice-size": "4",
                          "kueue.x-k8s.io/podset-slice-required-topology": "cloud.google.com/gke-tpu-slice-4x4-id"}, pod["metadata"]["annotations"])
        self.assertEqual("8x8", pod["spec"]["nodeSelector"]["cloud.google.com/gke-tpu-topology"])
        one = pod_of(objects("manifests", self.SPEC.replace(", slices: 4", ""))["JobSet"])
        self.assertEqual("cloud.google.com/gke-tpu-slice-4x4-id", one["metadata"]["annotations"]["kueue.x-k8s.io/podset-required-topology"])
        made = objects("queues", self.SPEC)
        self.assertEqual(["cloud.google.com/gke-nodepool", *(f"cloud.google.com/gke-tpu-slice-{shape}-id" for shape in ("4x8", "4x4", "2x4")),
                          "kubernetes.io/hostname"], [level["nodeLabel"] for level in made["Topology"]["spec"]["levels"]])
        self.assertNotIn("AdmissionCheck", made)

    def test_pool(self):
        (pool,) = commands(self.SPEC)
        self.assertTrue({"--tpu-topology=8x8", "--num-nodes=16", "--spot"} <= set(pool), pool)

    def test_no_doubt(self):
        self.assertNotIn("FS3032", run("check", "-", stdin=self.SPEC)[1])


if __name__ == "__main__":
    unittest.main()
