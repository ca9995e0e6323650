"""Parts of the input that belong to another workload, to the cluster, or to nobody, and those that only a patch keeps."""
import pathlib
import tempfile
import unittest

import yaml
import importing

POD = """
        nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: TOPOLOGY}
        containers: [{name: w, image: "i:1", resources: {requests: {google.com/tpu: "4"}, limits: {google.com/tpu: "4"}}}]
"""

JOBSET = """
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: train, namespace: rl, labels: {kueue.x-k8s.io/queue-name: rl-queue}}
spec:
  replicatedJobs:
  - name: slice
    replicas: 1
    template:
      spec: {completions: PODS, parallelism: PODS, backoffLimit: 0, template: {spec: {restartPolicy: Never,
        nodeSelector: {cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: TOPOLOGY},
        containers: [{name: w, image: "i:1", resources: {limits: {google.com/tpu: "4"}}}]}}}
"""

RAY = """
apiVersion: ray.io/v1
kind: RayCluster
metadata: {name: rc, labels: {kueue.x-k8s.io/queue-name: lq, team: a}}
spec:
  rayVersion: 2.55.0
  headGroupSpec:
    template:
      spec:
        containers: [{name: head, image: "i:1", resources: {requests: {cpu: "8", memory: 32Gi}, limits: {memory: 32Gi}}}]
  workerGroupSpecs:
  - groupName: slices
    replicas: 1
    minReplicas: 1
    maxReplicas: 1
    template:
      spec:""" + POD.replace("TOPOLOGY", "2x2")

CPU_GROUP = """
  - groupName: cpu
    replicas: 20
    maxReplicas: 20
    template:
      spec:
        containers: [{name: ray-worker, image: "i:1", resources: {requests: {cpu: "8", memory: 32Gi}, limits: {memory: 32Gi}}}]
"""

FLAVOR = """
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: NAME}
spec: {nodeLabels: {LABELS}}
---"""

QUEUES = """
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: cq}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [google.com/tpu]
    flavors: [{name: own, resources: [{name: google.com/tpu, nominalQuota: 4}]}]
  - coveredResources: [cpu, memory]
    flavors: [{name: any, resources: [{name: cpu, nominalQuota: 500}, {name: memory, nominalQuota: 2000Gi}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: lq}
spec: {clusterQueue: cq}
---"""


def flavor(name, **labels):
    return FLAVOR.replace("NAME", name).replace("LABELS", ", ".join(f"cloud.google.com/gke-tpu-{key}: {value}" for key, value in labels.items()))


class Parts(unittest.TestCase):
    def import_text(self, text, name="input.yaml"):
        with tempfile.TemporaryDirectory() as directory:
            (pathlib.Path(directory) / name).write_text(text)
            done = importing.run("import", name, cwd=directory)
        self.assertIn(done.returncode, (importing.FINE, importing.FINDINGS), done.stderr)
        return done.stdout.decode(), yaml.safe_load(done.stdout), done.stderr.decode()

    def test_a_queue_that_the_workload_names_is_one_of_the_cluster(self):
        queue = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: rl-queue, namespace: NAMESPACE}\nspec: {clusterQueue: cq}\n---"
        jobset = JOBSET.replace("PODS", "4").replace("TOPOLOGY", "4x4")
        _, spec, report = self.import_text(queue.replace("NAMESPACE", "rl") + jobset)
        self.assertEqual({"name": "rl-queue", "topology": "none"}, spec["provisioning"]["queue"])
        self.assertIn("note[FS5112]: LocalQueue `rl-queue`", report)
        self.assertNotIn("FS5104", report)
        # Of the same name, but in another namespace.
        self.assertIn("FS5104]: LocalQueue `rl-queue`", self.import_text(queue.replace("NAMESPACE", "web") + jobset)[2])

    def test_each_pod_of_single_hosts_is_a_slice(self):
        text, spec, report = self.import_text(JOBSET.replace("PODS", "2").replace("TOPOLOGY", "2x2"))
        self.assertEqual(2, spec["tpu"]["slices"])
        self.assertNotIn("FS5106", report)
        self.assertIn("write `kind: job` for independent workers", text)
        self.assertNotIn("slices", self.import_text(JOBSET.replace("PODS", "4").replace("TOPOLOGY", "4x4"))[1]["tpu"])

    def test_flavors_of_other_queues_are_not_compared(self):
        text = (flavor("theirs", accelerator="tpu-v6e-slice", topology="2x4") + flavor("any") +
                flavor("own", accelerator="tpu-v6e-slice", topology="2x2") + QUEUES + RAY)
        written, spec, report = self.import_text(text)
        self.assertIn("FS5104]: ResourceFlavor `theirs`", report)
        self.assertIn("of ResourceFlavor `own` changes: `own` becomes `v6e-2x2-on-demand`", written)
        self.assertIn("of ResourceFlavor `any` changes: `any` becomes `ordinary-nodes`", written)
        self.assertNotIn("ResourceFlavor `theirs`", written)
        # A patch of the queue that is refused takes no other one with it.
        self.assertEqual([{"target": {"kind": "RayCluster"}, "merge": {"metadata": {"labels": {"team": "a"}}}}], spec["patches"])

    def test_a_group_of_ray_without_chips_is_a_patch(self):
        ray = RAY.replace("kueue.x-k8s.io/queue-name: lq, ", "")
        _, spec, report = self.import_text(ray + CPU_GROUP)
        groups = [patch["strategicMerge"]["spec"]["workerGroupSpecs"] for patch in spec["patches"] if "strategicMerge" in patch]
        self.assertEqual([["cpu"]], [[group["groupName"] for group in each] for each in groups])
        self.assertIn("0 not kept", report)
        with_chips = RAY + CPU_GROUP.replace("cpu", "more", 1).replace("resources: {", "resources: {limits: {google.com/tpu: 4}, ").replace(", limits: {memory: 32Gi}", "")
        self.assertIn("FS5106]: the spec cannot keep `spec.workerGroupSpecs[1]", self.import_text(with_chips)[2])

    def test_a_pool_that_a_new_cluster_lacks_is_not_selected_by_a_patch(self):
        xpk = ("xpk cluster create-pathways --cluster=pw --tpu-type=v5p-128 --num-slices=2 --on-demand --project=acme --zone=us-east5-a\n"
               "xpk workload create-pathways --cluster=pw --workload=pw1 --tpu-type=v5p-128 --num-slices=2 --docker-image=r/i:7"
               " --command \"python3 train.py\" --zone=us-east5-a\n")
        text, _, report = self.import_text(xpk, "run.sh")
        self.assertNotIn("cpu-np", text)
        self.assertIn("the head runs in the default pool, which has room for it, instead of a pool `cpu-np`", report)
        # Where the cluster is there, so is its pool.
        _, spec, _ = self.import_text(xpk.split("\n", 1)[1], "run.sh")
        self.assertEqual("cpu-np", spec["workload"]["pathways"]["headNodePool"])

        commands = ("# ```\ngcloud container clusters create c --location=us-east5 --project=acme\n"
                    "gcloud container node-pools create p --cluster=c --location=us-east5 --project=acme --node-locations=us-east5-b "
                    "--machine-type=ct6e-standard-4t --num-nodes=1\n")
        for pool, kept in (("cpu-np", False), ("default-pool", True)):
            ray = RAY.replace("containers: [{name: head", f"nodeSelector: {{cloud.google.com/gke-nodepool: {pool}}}\n        containers: [{{name: head", 1)
            written, spec, report = self.import_text(f"```yaml{ray.replace('kueue.x-k8s.io/queue-name: lq, ', '')}```\n```sh\n{commands}```\n", "page.md")
            self.assertTrue(spec["cluster"]["create"])
            self.assertEqual(kept, pool in yaml.safe_dump(spec), report)
            self.assertEqual(kept, f"cannot keep `spec.headGroupSpec.template.spec.nodeSelector: {{cloud.google.com/gke-nodepool: {pool}}}`" not in written)

    def test_a_value_without_which_another_is_refused_stays(self):
        spec = ("apiVersion: flexslice/v1\nname: nightly\ncluster: {name: ml, location: us-east5, project: acme}\ntpu: {type: v6e, topology: 2x2}\n"
                "provisioning: {model: spot, zones: [us-east5-b], queue: q, autoscale: true, maxNodes: 2}\n"
                "workload: {image: 'i:1', command: [run], schedule: {cron: 0 3 * * *, concurrencyPolicy: Allow}}\n")
        made = [importing.run("compile", "--emit", emit, "-", stdin=spec.encode()).stdout.decode() for emit in ("manifests", "provision")]
        _, again, report = self.import_text("```yaml\n{}```\n```sh\n{}```\n".format(*made), "page.md")
        self.assertEqual(("Allow", 2), (again["workload"]["schedule"]["concurrencyPolicy"], again["provisioning"]["maxNodes"]), report)

    # A spec with a field, and what its output is changed to: a value that a rule refuses. The rest is imported, and compiles.
    REFUSED = {
        "provisioning.nodePool": ("nodePool: tpus", "tpus", "Tpus_1"),
        "provisioning.minNodes": ("autoscale: true, minNodes: 1, maxNodes: 2", "--min-nodes=1", "--min-nodes=5000"),
        "provisioning.maxNodes": ("autoscale: true, maxNodes: 2", "--max-nodes=2", "--max-nodes=5000"),
        "provisioning.diskSize": ("diskSize: 200Gi", "--disk-size=200GB", "--disk-size=900000GB"),
        "provisioning.diskType": ("diskType: hyperdisk-balanced", "--disk-type=hyperdisk-balanced", "--disk-type=Hyper_1"),
        "provisioning.maxPodsPerNode": ("maxPodsPerNode: 32", "--max-pods-per-node=32", "--max-pods-per-node=5000"),
        "provisioning.nodeServiceAccount": ("nodeServiceAccount: n@p.iam.gserviceaccount.com", "--service-account=n@p.iam.gserviceaccount.com", "--service-account=n@example.com"),
        "provisioning.maxRunDuration": ("model: flex-start, maxRunDuration: 2h", "--max-run-duration=7200s", "--max-run-duration=7200000s"),
        "workload.imagePullPolicy": ("imagePullPolicy: Always", "imagePullPolicy: Always", "imagePullPolicy: Sometimes"),
        "workload.serviceAccount": ("serviceAccount: trainer", "serviceAccountName: trainer", "serviceAccountName: Trainer_1"),
        "workload.priorityClass": ("priorityClass: high", "priorityClassName: high", "priorityClassName: High_1"),
        "workload.terminationGrace": ("terminationGrace: 2m", "terminationGracePeriodSeconds: 120", "terminationGracePeriodSeconds: -1"),
        "workload.activeDeadline": ("activeDeadline: 2h", "activeDeadlineSeconds: 7200", "activeDeadlineSeconds: -5"),
        "workload.ttlAfterFinished": ("ttlAfterFinished: 1h", "ttlSecondsAfterFinished: 3600", "ttlSecondsAfterFinished: -5"),
        "workload.securityContext": ("securityContext: {runAsUser: 1000}", "runAsUser: 1000", "runAsUser: -4"),
        "workload.envFrom.0": ("envFrom: [{secretRef: {name: hub}}]", "secretRef", "secretReference"),
        "workload.env.TOKEN": ("env: {TOKEN: {secret: hub, key: t}}", "name: hub", "name: Hub_1"),
        "workload.tolerations.0": ("tolerations: [{key: own, operator: Exists}]", "key: own\n", "key: own/o/o\n"),
        "workload.nodeSelector.team": ("nodeSelector: {team: vision}", "team: vision", "team: -vision-"),
        "workload.podAnnotations.a~1b": ("podAnnotations: {a/b: c}", "a/b: c", "a/b/d: c"),
        "workload.sidecars.0": ("sidecars: [{name: logs, image: busybox}]", "name: logs", "name: Logs_1"),
        "workload.initContainers.0": ("initContainers: [{name: fetch, image: busybox}]", "name: fetch", "name: Fetch_1"),
    }

    def test_what_import_can_do_without(self):
        for field, (own, old, new) in self.REFUSED.items():
            with self.subTest(field=field):
                section = field.split(".")[0]
                spec = ("apiVersion: flexslice/v1\nname: a\ncluster: {name: ml, location: us-east5, project: acme}\ntpu: {type: v6e, topology: 2x2}\n"
                        "provisioning: {zones: [us-east5-b], model: spot}\nworkload: {image: 'i:1', command: [run]}\n").replace(f"{section}: {{", f"{section}: {{{own}, ")
                spec = spec.replace(", model: spot", "" if "model: flex" in own else ", model: spot")
                made = [importing.run("compile", "--no-comments", "--emit", emit, "-", stdin=spec.encode()).stdout.decode() for emit in ("manifests", "provision")]
                page = "```yaml\n{}```\n```sh\n{}```\n".format(*made)
                self.assertIn(old, page)
                written, again, report = self.import_text(page.replace(old, new), "page.md")
                at = again
                for step in field.split("."):
                    at = at.get(step.replace("~1", "/"), {}) if isinstance(at, dict) else {}
                self.assertEqual({}, at, report)
                self.assertRegex(report, r"FS51(06|07|11)\]", written)
                done = importing.run("check", "-", stdin=written.encode())
                self.assertEqual(importing.FINE, done.returncode, done.stdout.decode() + written)

    def test_a_spec_is_no_input(self):
        with tempfile.TemporaryDirectory() as directory:
            for text, said in (("# ours\napiVersion: flexslice/v1\nname: a\n", True), ("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", False)):
                (pathlib.Path(directory) / "spec.yaml").write_text(text)
                done = importing.run("import", "spec.yaml", cwd=directory)
                self.assertIn(b"FS5101", done.stderr)
                self.assertEqual(said, b"it is a spec already: `flexslice check` checks it" in done.stderr, done.stderr)

    def test_the_shape_is_that_of_the_class(self):
        classes = ("apiVersion: cloud.google.com/v1\nkind: ComputeClass\nmetadata: {name: two-hosts}\nspec:\n  priorities:\n"
                   "  - {spot: true, tpu: {type: tpu-v5-lite-podslice, count: 4, topology: 2x4}}\n"
                   "  - {tpu: {type: tpu-v5-lite-podslice, count: 4, topology: SECOND}}\n---\n")
        job = ("apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec:\n  backoffLimit: 0\n  completions: 2\n  parallelism: 2\n  completionMode: Indexed\n"
               "  template:\n    spec:\n      restartPolicy: Never\n      nodeSelector: {cloud.google.com/compute-class: two-hosts}\n"
               "      containers: [{name: j, image: 'i:1', resources: {limits: {google.com/tpu: 4}}}]\n")
        _, spec, _ = self.import_text(classes.replace("SECOND", "2x4") + job)
        self.assertEqual(("v5e", "2x4"), (spec["tpu"]["type"], spec["tpu"]["topology"]))
        self.assertEqual({"cloud.google.com/compute-class": "two-hosts"}, spec["workload"]["nodeSelector"])
        # Priorities that disagree say nothing of it.
        self.assertIn("# TODO: topology of a slice", self.import_text(classes.replace("SECOND", "4x4") + job)[0])


if __name__ == "__main__":
    unittest.main()
