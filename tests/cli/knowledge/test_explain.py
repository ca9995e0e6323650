"""flexslice explain: a plan in words says what the plan, the scripts and the manifests say; every table answers."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import jsonschema
import yaml

import knowledge
from knowledge import EXAMPLES, ROOT, generations, models, one_line, read, run

sys.path.insert(0, str(ROOT / "tests/golden"))
import expected as golden  # noqa: E402


CONTROLLERS = {"jobset": "JobSet", "pathways": "JobSet", "leaderworkerset": "LeaderWorkerSet", "raycluster": "KubeRay", "rayjob": "KubeRay", "rayservice": "KubeRay"}


def options(example):
    file = example / "options"
    return file.read_text().split() if file.exists() else []


def compiled(example, artifact):
    return golden.compiled(example)[artifact].decode()


def single(example):
    """One spec, so that its files stand side by side."""
    return "plan.json" in golden.compiled(example)


def explained(example):
    done = subprocess.run([knowledge.FLEXSLICE, "explain", *options(example), "spec.yaml"], cwd=example, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return done.stdout


def section(text, heading):
    """The lines below a heading."""
    return re.search(rf"^{re.escape(heading)}\n((?:  .*\n)+)", text, re.MULTILINE).group(1)


def facts(text):
    """Of each mark."""
    return dict(re.findall(r"(\[\d+\])\s+(.*?\))(?= \[|$)", one_line(section(text, "Facts")).strip()))


def cited(text, heading):
    """The facts that a section has marks of."""
    return [facts(text)[mark] for mark in re.findall(r"\[\d+\]", section(text, heading))]


def at(value, path):
    for key in path.split("."):
        value = value[0] if isinstance(value, list) else value
        value = value[key]
    return value


class Words(unittest.TestCase):
    def assert_begins(self, words, text):
        self.assertEqual(words, text[:len(words)])

    def assert_says(self, is_said, words, text):
        """Or that the text does not have the words."""
        (self.assertIn if is_said else self.assertNotIn)(words, text)


class Successors(Words):
    LINE = "xpk workload create --cluster=acme --zone=us-east5-b --workload=run --tpu-type={} --num-slices=2 --docker-image=us-docker.pkg.dev/a/b/c:1 --command='python3 a.py'"

    def test_line_of_xpk(self):
        """The number of tpu7x counts TensorCores in xpk, and gcluster takes the shape."""
        for device, compute, topology in ("v6e-16", "ct6e-standard-4t", "4x4"), ("tpu7x-128", "tpu7x-standard-4t", "4x4x4"), ("v5p-16", "ct5p-hightpu-4t", "2x2x2"):
            done = subprocess.run([knowledge.FLEXSLICE, "explain", self.LINE.format(device)], capture_output=True, check=False, text=True)
            self.assertEqual(0, done.returncode, done.stderr)
            words = done.stdout.replace("\\\n", "").split()
            for word in f"--compute-type={compute}", f"--topology={topology}", "--num-slices=2", "--location=us-east5", "--queue=multislice-queue", "--restarts=0":
                self.assertIn(word, words)
            self.assertIn("`gcluster` cannot say `workload.volumes`", done.stderr)

    def test_no_workload(self):
        done = subprocess.run([knowledge.FLEXSLICE, "explain", "xpk cluster list --zone=us-east5-b"], capture_output=True, check=False, text=True)
        self.assertEqual(2, done.returncode)
        self.assertIn("no workload in `xpk cluster list", done.stderr)


class Releases(unittest.TestCase):
    @staticmethod
    def explain(word):
        return subprocess.run([knowledge.FLEXSLICE, "explain", word], capture_output=True, check=True, text=True).stdout

    def test_each_program_is_listed_with_its_newest(self):
        listed = dict(line.split()[:2] for line in self.explain("releases").splitlines() if line.startswith("  "))
        self.assertGreater(len(listed), 5)
        for program, newest in listed.items():
            with self.subTest(program=program):
                self.assertRegex(self.explain(program), rf"(?m)^  {re.escape(newest)} +of [-0-9]+, the newest$")

    def test_gke_is_kubernetes(self):
        self.assertEqual(self.explain("gke").partition("\n")[2], self.explain("kubernetes").partition("\n")[2])


class Plans(Words):
    maxDiff = None

    def for_each(self, check):
        self.assertGreater(len([example for example in EXAMPLES if single(example)]), 5)
        for example in EXAMPLES:
            if single(example):
                with self.subTest(example=example.name):
                    check(explained(example), json.loads(compiled(example, "plan.json")), example)

    def test_every_derived_number(self):
        def check(text, plan, _):
            self.assertTrue(plan["reasons"])
            for reason in plan["reasons"]:
                part, _, rest = reason["path"].partition(".")
                lines = one_line(section(text, f"Derived: {part}"))
                value = at(plan, reason["path"])
                shown = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
                if reason["because"] == "of all points together":  # of the sweep; explained is the plan of its first point
                    self.assertIn(shown, section(text, "All points"))
                    continue
                entry = f"{rest} {shown} {reason['because']}"
                self.assertIn(entry, lines)
                if "source" in reason:
                    self.assertIn(reason["source"], cited(text, f"Derived: {part}"), entry)
        self.for_each(check)

    def test_the_order_is_that_of_script_and_manifests(self):
        def check(text, _, example):
            listed = [line.split(None, 2)[1:] for line in section(text, "Created, in this order").splitlines()]
            steps = [title for file, title in listed if file == "provision.sh"]
            # What only compares makes nothing, and what comes next is not of this script.
            made = re.findall(r"^step '((?!Next: ).*)'\n(?!expect)", compiled(example, "provision.sh").partition("\nstep 'Compare with the spec'")[0], re.MULTILINE)
            self.assertEqual(made, [step.replace("'", "'\\''") for step in steps])
            files = golden.compiled(example)
            # Of a sweep the plan of the first point is explained.
            point = re.search(r"The plan of the first point:\n\n(\S+):", text)
            first = f"{point[1]}/manifests.yaml" if point else "manifests.yaml"
            for file in ["queues.yaml", "manifests.yaml"]:
                objects = yaml.safe_load_all(files.get(first if file == "manifests.yaml" else file, b""))
                self.assertEqual([f"{each['kind']} {each['metadata']['name']}" for each in objects], [name for where, name in listed if where == file])
        self.for_each(check)

    def test_pods(self):
        def check(text, plan, _):
            pods = section(text, "Pods")
            self.assertRegex(pods, rf"^  pods +{plan['tpu']['totalHosts']}, one for each (single-)?host")
            self.assertIn(f"{plan['tpu']['devices']}, as jax.device_count() counts them", pods)
            if "hostNames" in plan["workload"]:
                self.assertIn("{} to {}\n".format(*plan["workload"]["hostNames"]), pods)
            else:
                self.assertNotIn("host names", pods)
        self.for_each(check)

    def test_nodes_that_the_price_counts(self):
        spec = ("apiVersion: flexslice/v1\nname: hp\ncluster: {name: c, location: us-east5}\ntpu: {type: v6e, topology: 2x2}\n"
                "provisioning: {model: on-demand, zones: [us-east5-b], NODES}\nworkload: {image: 'i:1', command: [run]}\n")
        for nodes, expected in (("minNodes: 4, autoscale: true", "At most $43.20 an hour for 4 nodes, which the pool has at least,"),
                                ("maxNodes: 4", "At most $43.20 an hour for all 4 nodes of the pool,"),
                                ("maxNodes: 4, autoscale: true", "At most $10.80 an hour, and"), ("maxNodes: 1", "At most $10.80 an hour, and")):
            done = subprocess.run([knowledge.FLEXSLICE, "explain", "-"], input=spec.replace("NODES", nodes), capture_output=True, text=True, check=False)
            self.assertIn(expected, one_line(done.stdout), done.stderr)

    def test_workers_of_ray_that_a_patch_adds(self):
        spec = ("apiVersion: flexslice/v1\nname: tokens\ncluster: {name: ray, location: us-east5, create: CREATE}\ntpu: {type: v6e, topology: 4x4}\n"
                "provisioning: {model: spot, zones: [us-east5-b]}\n"
                "workload: {kind: raycluster, image: 'i:1', ray: {version: 2.51.0, head: {cpu: '8', memory: 32Gi}}}\npatches:\n"
                "- target: {kind: RayCluster}\n  strategicMerge:\n    spec:\n      enableInTreeAutoscaling: SCALES\n      workerGroupSpecs:\n"
                "      - groupName: cpu\n        replicas: 2\n        maxReplicas: 20\n        template:\n          spec:\n"
                "            containers: [{name: w, image: 'i:1', resources: {requests: {cpu: '4', memory: 16Gi}, limits: {memory: 16Gi}}}]\n"
                "- target: {kind: RayCluster, pod: head, container: tokens}\n  merge: {resources: {requests: {cpu: '12'}}}\n")

        def said(create, scales):
            text = spec.replace("CREATE", create).replace("SCALES", scales)
            done = subprocess.run([knowledge.FLEXSLICE, "explain", "-"], input=text, capture_output=True, text=True, check=False)
            self.assertEqual(0, done.returncode, done.stderr)
            return one_line(done.stdout)
        exists = said("false", "false")
        self.assertIn("1 pod without chips, each with 12 CPUs and 32Gi of memory, on nodes of another pool; "
                      "and 2 pods of worker group cpu, each with 4 CPUs and 16Gi of memory", exists)
        self.assertIn("3 pods on ordinary nodes: the head of Ray, and 2 of worker group cpu", exists)
        # The autoscaler of Ray runs beside its head.
        scaled = said("false", "true")
        self.assertIn("and up to 20 pods of worker group cpu, each with 4 CPUs and 16Gi of memory", scaled)
        self.assertIn("and up to 20 of worker group cpu", scaled)
        made = said("true", "false")
        self.assertIn("2 pods of worker group cpu, each with 4 CPUs and 16Gi of memory, on nodes of a pool that no script makes", made)
        self.assertNotIn("1 pod without chips, each", made)

    def test_what_is_needed_is_what_the_manifests_name(self):
        """Every Secret, ConfigMap and so on that the manifests mention is listed with its keys, and nothing else is."""
        nouns = {"serviceAccountName": "ServiceAccount", "priorityClassName": "PriorityClass", "imagePullSecrets": "Secret",
                 "secretKeyRef": "Secret", "secretRef": "Secret", "secretName": "Secret", "configMapKeyRef": "ConfigMap", "configMap": "ConfigMap",
                 "claimName": "PersistentVolumeClaim", "bucketName": "bucket"}

        def names(value, found):
            if isinstance(value, list):
                for item in value:
                    names(item, found)
            elif isinstance(value, dict):
                for key, inner in value.items():
                    for each in inner if isinstance(inner, list) else [inner]:
                        if key in nouns:
                            keys = found.setdefault(nouns[key], {}).setdefault(each["name"] if isinstance(each, dict) else each, [])
                            keys += [each["key"]] if "Key" in key and each["key"] not in keys else []
                    names(inner, found)
            return found

        def check(text, plan, example):
            objects = list(yaml.safe_load_all(compiled(example, "manifests.yaml")))
            queues = golden.compiled(example).get("queues.yaml", b"")
            expected = {noun: {f"{name} ({'key' if len(keys) == 1 else 'keys'} {' and '.join(keys)})" if keys else name
                               for name, keys in found.items()} for noun, found in names(objects, {}).items()}
            if "namespace" in plan:
                expected["namespace"] = {plan["namespace"]}
            if not plan["cluster"]["create"]:
                expected["cluster"] = None
            if plan["workload"]["kind"] in CONTROLLERS:
                expected[CONTROLLERS[plan["workload"]["kind"]]] = None
            if "ray" in plan and not plan["cluster"]["create"]:
                expected["TPU"] = None
            if ("ray" in plan or "pathways" in plan or plan.get("group", {}).get("leaderApart")) and not plan["cluster"]["create"]:
                expected["nodes"] = None
            volumes = list(yaml.safe_load_all(golden.compiled(example).get("volumes.yaml", b"")))
            for each in objects + volumes:  # what the manifests have is there
                (expected.get(each["kind"]) or set()).discard(each["metadata"]["name"])
            expected = {noun: found for noun, found in expected.items() if found != set()}
            if b"volumeHandle" in golden.compiled(example).get("volumes.yaml", b""):
                expected.setdefault("bucket", None)
            if queues:
                expected["Kueue"] = None
            if "theirQueue" in plan["provisioning"]:
                expected["LocalQueue"] = None
            if "poolTopology" in plan["provisioning"]:
                expected["slice"] = None
            if (plan["tpu"]["accelerator"], plan["provisioning"]["model"]) == ("tpu7x", "flex-start"):
                expected["access"] = None
            if not (plan["provisioning"]["create"] or plan["cluster"]["autopilot"] or "computeClass" in plan):
                expected["node"] = None
            if "reservation" in plan["provisioning"]:
                expected["reservation"] = {plan["provisioning"]["reservation"]["name"]}
            kinds = {each["kind"] for each in objects}
            if "HorizontalPodAutoscaler" in kinds:
                expected |= {"Managed": None, "metrics": None}
            if "CheckpointConfiguration" in kinds:
                expected |= {"Multi-Tier": None, "access": None, "bucket": {objects[0]["spec"]["cloudStorageBucketName"]}}
            if "CapacityBuffer" in kinds:
                expected["capacity"] = None
            if "InferencePool" in kinds:
                expected |= {"Gateway": None, "InferencePool": None, "picker": None}
                expected["body" if "Gateway" not in kinds else "subnet"] = None
            if not expected:
                self.assertNotIn("Needed", text)
                return
            lines = section(text, "Required, and not created by the scripts").splitlines()
            listed = {line.split()[0]: set(" ".join(line.split()[1:]).partition(" (mounted ")[0].split(", ")) for line in lines if line[2] != " "}
            self.assertEqual(set(expected), set(listed))
            self.assertEqual({noun: found for noun, found in expected.items() if found}, {noun: listed[noun] for noun, found in expected.items() if found})
        self.for_each(check)

    def test_nodes(self):
        def check(text, plan, _):
            nodes = one_line(section(text, "Nodes"))
            provisioning = plan["provisioning"]
            self.assertIn(provisioning["idle"], nodes)
            self.assertIn(provisioning["lifetime"], nodes)
            if provisioning["quota"] == "reserved" or not (provisioning["create"] or plan["cluster"]["autopilot"] or "computeClass" in plan):
                self.assertIn("none: ", nodes)
                return
            self.assertIn(f"{provisioning['quotaChips']} chip", nodes)
            self.assertIn(f"`{provisioning['quotaName']}`", nodes)
            self.assertIn("quota of the Cloud TPU API (tpu.googleapis.com) does not count here", nodes)
        self.for_each(check)

    def test_what_stays(self):
        """A JobSet owns its Service; that of a Job outlives it, and is in the way of a JobSet of the same name."""
        def check(text, plan, example):
            objects = list(yaml.safe_load_all(compiled(example, "manifests.yaml")))
            services = [each["metadata"]["name"] for each in objects if each["kind"] == "Service"]
            shares = plan["workload"]["kind"] == "jobset" or bool(services) and plan["workload"]["kind"] == "job"
            queued = "queue" in plan
            claims = plan.get("madeVolumes", [])
            reserved, creates = "reservation" in plan["provisioning"], plan["cluster"]["create"]
            theirs = not plan["provisioning"]["create"] and not plan["cluster"]["autopilot"] and "computeClass" not in plan
            self.assert_says(bool(shares or queued or claims or reserved or creates or theirs), "What stays", text)
            for each in claims:
                billed = f"what is billed is bucket {each['bucket']}" if "bucket" in each else f"of {each['size']} and its disk"
                self.assertIn(f"claim PersistentVolumeClaim {each['name']}", one_line(section(text, "What stays")))
                self.assertIn(billed, one_line(section(text, "What stays")))
            self.assert_says(reserved, "which is billed whether or not nodes use it", one_line(text))
            self.assert_says(creates, "It stays while claims, or pods or node pools of others, are in it.", one_line(text))
            self.assert_says(theirs, "The node pools, which belong to somebody else", one_line(text))
            self.assert_says(queued, "The objects of queues.yaml, which other workloads may use", one_line(text))
            if not shares:
                return
            stays = one_line(section(text, "What stays"))
            self.assertIn(f"a Job and a JobSet {plan['name']} share the name of the Service", stays)
            outlives = bool(services) and "ttlSecondsAfterFinished" in plan["workload"]
            self.assert_says(outlives, f"the Service {plan['name']} stays until cleanup.sh", stays)
        self.for_each(check)
        spec = (ROOT / "examples/multi-host/spec.yaml").read_text()
        text = run("explain", "-", "--set", "workload.ttlAfterFinished=1h", stdin=spec)[1]
        self.assertIn("ttlAfterFinished deletes the Job; the Service job-1 stays until cleanup.sh", one_line(section(text, "What stays")))

    def test_every_source_is_named_with_its_date(self):
        known = {source["id"]: source for source in read("sources.yaml")["sources"]}

        def check(text, _, __):
            legend = one_line(section(text, "Sources"))
            used = {name for fact in facts(text).values() for name in fact.partition(" (")[0].split(", ") if name != "no source"}
            self.assertTrue(used)
            for name in used:
                self.assertIn(f"{name} {known[name]['title']} ({known[name]['date']})", legend)
        self.for_each(check)

    def test_versions(self):
        def check(text, plan, _):
            lines = one_line(section(text, "Minimum GKE version"))
            for need in plan["needs"]:
                self.assertIn(f"{need['version']} for {need['for']}", lines)
                self.assertIn(need["source"], cited(text, "Minimum GKE version"))
        self.for_each(check)

    def test_controller_versions(self):
        def check(text, plan, _):
            if not plan["controllers"]:
                self.assertNotIn("Controller versions", text)
                return
            lines = one_line(section(text, "Controller versions"))
            for need in plan["controllers"]:
                self.assertIn(f"{need['name']} {', '.join(need['versions'])} or later for {need['for']}", lines)
                self.assertIn(need["source"], cited(text, "Controller versions"))
        self.for_each(check)

    def test_plan_schema(self):
        schema = json.loads((ROOT / "schemas/plan.schema.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)

        def close(part):
            """Nothing beyond what is documented."""
            if isinstance(part, dict):
                if "properties" in part:
                    part.setdefault("additionalProperties", False)
                for value in list(part.values()):
                    close(value)
        close(schema)
        validator = jsonschema.Draft202012Validator(schema)
        self.for_each(lambda _, plan, __: self.assertEqual([], [error.message for error in validator.iter_errors(plan)]))
        broken = json.loads(compiled(EXAMPLES[0], "plan.json"))
        broken["tpu"]["hosts"] = "4"
        broken["unheard"] = 1
        self.assertEqual(2, len(list(validator.iter_errors(broken))))

    def test_devices_of_two_to_a_chip(self):
        text = explained(ROOT / "examples/ironwood")
        self.assertIn("devices     128, as jax.device_count() counts them: 64 chips * 2 a chip  [3]\n", text)

    def test_jobset_hosts(self):
        plan = json.loads(compiled(ROOT / "examples/multislice", "plan.json"))
        jobset = yaml.safe_load(compiled(ROOT / "examples/multislice", "manifests.yaml"))
        job = jobset["spec"]["replicatedJobs"][0]
        name = f"{jobset['metadata']['name']}-{job['name']}"
        self.assertEqual([f"{name}-0-0", f"{name}-{job['replicas'] - 1}-{job['template']['spec']['completions'] - 1}"], plan["workload"]["hostNames"])


class Specs(Words):
    SPEC = (ROOT / "examples/single-host/spec.yaml").read_text()

    def test_stdin_and_layers(self):
        status, out, err = run("explain", "-", "--set", "name=other", "--set", "provisioning.maxNodes=3", stdin=self.SPEC)
        self.assertEqual((0, ""), (status, err))
        self.assert_begins("other: ", out)
        self.assertIn("quotaChips  12  3 nodes * 4 chips\n", out)
        self.assertIn("12 chips of ", out)

    def test_zones_count(self):
        out = run("explain", "-", "--set", "provisioning.zones=[us-east5-a, us-east5-b]", "--set", "provisioning.maxNodes=2", stdin=self.SPEC)[1]
        self.assertIn("quotaChips  16  2 nodes * 2 zones * 4 chips\n", out)

    def test_priority_orders_a_queue(self):
        words = ["explain", "-", "--set", "workload.priorityClass=high"]
        queue = ["--set", "provisioning.queue=team-a"]
        self.assertNotIn("Queue\n", run(*words, stdin=self.SPEC)[1])
        out = one_line(section(run(*words, *queue, stdin=self.SPEC)[1], "Queue"))
        self.assertIn("PriorityClass high only orders pending workloads", out)
        self.assertIn("not preempted", out)
        patch = "patches: [{target: {kind: ClusterQueue}, merge: {spec: {preemption: {withinClusterQueue: LowerPriority}}}}]\n"
        self.assertNotIn("not preempted", run(*words, *queue, stdin=self.SPEC + patch)[1])
        theirs = ["--set", "provisioning.queue={name: team-a, topology: none}"]
        self.assertIn("Whether a running workload is preempted depends on the ClusterQueue.", one_line(run(*words, *theirs, stdin=self.SPEC)[1]))

    def test_priority_of_kueue(self):
        """The class of the workload orders the queue; that of its pods no longer does."""
        words = ["explain", "-", "--set", "provisioning.queue=team-a", "--set", "workload.priorityClass=high"]
        out = run(*words, "--set", "provisioning.priority=urgent", stdin=self.SPEC)[1]
        said = one_line(section(out, "Queue"))
        self.assertIn("WorkloadPriorityClass urgent: of the pending workloads, those with a higher value start first. A running workload is not", said)
        self.assertIn("PriorityClass high does not order them", said)
        self.assertNotIn("only orders", said)
        self.assertIn("WorkloadPriorityClass urgent", one_line(section(out, "Required, and not created by the scripts")))
        out = run(*words, "--set", "provisioning.priority={name: urgent, value: 7}", stdin=self.SPEC)[1]
        self.assertNotIn("WorkloadPriorityClass", section(out, "Required, and not created by the scripts"))
        self.assertIn("queues.yaml WorkloadPriorityClass urgent", one_line(section(out, "Created, in this order")))

    def test_quota_of_a_queue(self):
        said = one_line(section(explained(ROOT / "examples/queued"), "Queue"))
        queue = next(tree for tree in yaml.safe_load_all(compiled(ROOT / "examples/queued", "queues.yaml")) if tree["kind"] == "ClusterQueue")
        for flavor in queue["spec"]["resourceGroups"][0]["flavors"]:
            for resource in flavor["resources"]:
                self.assertIn(f"{resource['nominalQuota']} {resource['name']} of {flavor['name']}", said)

    def test_stated_quota(self):
        self.assertEqual(1, section(explained(ROOT / "examples/queued"), "Queue").count("nominalQuota"))
        file = [str(ROOT / "examples/queued/spec.yaml"), "--set", "provisioning.quota=640", "--set", "provisioning.create=false"]
        said = one_line(section(run("explain", *file)[1], "Queue"))
        self.assertIn("640 google.com/tpu of ", said)
        self.assertIn("as `provisioning.quota` says", said)
        self.assertNotIn("add up", said)

    def test_only_gaps_have_no_source(self):
        for example in EXAMPLES:
            for after in one_line(explained(example)).split("no source ")[1:]:
                self.assertRegex(after, r"^(gives|\(low)", example.name)

    def test_guides(self):
        for word in ("cost", "cleanup", "Queues", "terraform", "xpk", "pending", "hang", "logs", "cohort", "workload identity"):
            self.assert_begins(f"{word.lower()}: ", run("explain", word)[1])
        for word, guide in (("replicas", "serving"), ("serve", "serving"), ("hpa", "scaling"), ("migrate", "migrate"), ("diff", "migrate"),
                            ("Borrowing", "cohort"), ("preemption", "preemption"), ("gcsfuse", "storage"), ("workload-identity", "workload identity")):
            self.assert_begins(f"{guide}: ", run("explain", word)[1])

    def test_reclaimed_nodes(self):
        """What a reclaimed node does to a Job and a JobSet of one host or several, and to a Job that restarts its containers."""
        words = ["explain", "-", "--set", "provisioning.model=spot"]
        jobset, several = ["--set", "workload.kind=jobset"], ["--set", "tpu.topology=4x4"]
        own = ["--set", "workload.podFailurePolicy={rules: [{action: Count, onPodConditions: [{type: DisruptionTarget}]}]}"]
        for more, text in ([], "is replaced, which does not count against backoffLimit"), \
                          (jobset, "all slices start again, which does not count against maxRestarts"), \
                          ([*several, *jobset], "all slices start again"), \
                          (["--set", "workload.restartPolicy=OnFailure"], "A reclaimed node counts as a failed pod"), \
                          (several, "all 4 pods of its slice fail, which is more than backoffLimit 0 allows, and the Job ends"), \
                          ([*several, "--set", "workload.backoffLimit=13"], "backoffLimit 13 allows that 3 times; after the next one the Job ends"), \
                          ([*several, "--set", "workload.retries=2"], "all slices start again, 2 times at most: `retries` counts every failure"), \
                          (["--set", "workload.retries=2"], "A reclaimed node counts as a failed pod: `retries` counts every failure"), \
                          ([*jobset, "--set", "workload.restartPolicy=OnFailure", "--set", "workload.backoffLimit=0"],
                           "the JobSet ends, because it has no restarts: `restartPolicy: OnFailure`"), \
                          (["--set", "workload.podFailurePolicy={rules: []}"], "counts as a failed pod: no rule of `podFailurePolicy` is about it"), \
                          (own, None):
            with self.subTest(more):
                pods = one_line(section(run(*words, *more, stdin=self.SPEC)[1], "Pods"))
                self.assert_says(text is not None, "reclaimed", pods)
                self.assertIn(text or "", pods)
        self.assertNotIn("reclaimed", run("explain", "-", stdin=self.SPEC)[1])

    def test_lifetimes(self):
        """A limit of the node is one of the workload, unless the spec says how often its pods are replaced: then it is multiplied."""
        lives = ["--set", "provisioning.maxRunDuration=6h"]
        jobset, queue = ["--set", "workload.kind=jobset"], ["--set", "provisioning.queue=q", "--set", "provisioning.model=flex-start-queued"]
        for more, text, action in (
                (lives, "6h for each host: a pod whose node has ended is not replaced", "FailJob"),
                ([*lives, "--set", "tpu.slices=3"], "6h for each host", "FailIndex"),
                ([*lives, *jobset], "6h for each host", "FailJob"),
                ([*lives, *jobset, "--set", "workload.maxRestarts=2"], "3 * 6h = 18h for each host", "FailJob"),
                ([*lives, *queue], "6h for each host", "FailJob"),
                ([*lives, "--set", "workload.restartPolicy=OnFailure"], "7 * 6h = 1d18h for each host: a pod whose node has ended gets another, 6 times", ""),
                ([*lives, "--set", "workload.backoffLimit=2"], "3 * 6h = 18h for each host", ""),
                ([*lives, "--set", "tpu.topology=4x4"], "6h for each host", ""),
                ([*lives, "--set", "tpu.topology=4x4", "--set", "workload.backoffLimit=13"], "4 * 6h = 1d for each host", ""),
                ([*lives, "--set", "tpu.topology=4x4", "--set", "workload.retries=2"], "3 * 6h = 18h for each host", ""),
                ([*lives, "--set", "workload.retries=2"], "3 * 6h = 18h for each host", ""),
                (["--set", "provisioning.fallback=[on-demand]"], "no bound with on-demand nodes: nothing limits the lifetime", ""),
                ([], "7 * 7d = 49d for each host", ""),
                ([*lives, "--set", "workload.podFailurePolicy={rules: [{action: Ignore, onPodConditions: [{type: DisruptionTarget}]}]}"],
                 "no bound: a pod whose node has ended gets another, for 6h again, until the workload ends", "Ignore"),
                (["--set", "provisioning.model=on-demand"], None, "")):
            with self.subTest(more):
                nodes = one_line(section(run("explain", "-", *more, stdin=self.SPEC)[1], "Nodes"))
                self.assert_says(text is not None, "at most", nodes)
                self.assertIn(text or "", nodes)
                manifest = run("compile", "-", *more, stdin=self.SPEC)[1]
                self.assertEqual([action] if action else [], re.findall(r"- action: (\w+)", manifest))
                self.assert_says(action == "FailIndex", "backoffLimitPerIndex: 6", manifest)

    def test_several_documents(self):
        status, out, _ = run("explain", "-", stdin=self.SPEC + "---\n" + self.SPEC.replace("name: sleep-1", "name: sleep-2"))
        self.assertEqual(0, status)
        self.assertEqual(["sleep-1", "sleep-2"], re.findall(r"^(sleep-.): ", out, re.MULTILINE))
        self.assertRegex(out, r"\n\nAll 2 workloads: 2 nodes, at most \$\d+\.\d\d an hour \(list prices\)\.\n$")
        self.assertNotIn("All ", run("explain", "-", stdin=self.SPEC)[1])
        # Of several places a workload is in one.
        places = str(ROOT / "examples/places/train.yaml")
        self.assertNotIn("All ", run("explain", places)[1])
        self.assertIn("All 2 workloads: ", run("explain", places, "-", stdin=self.SPEC)[1])

    def test_a_mistake(self):
        status, out, err = run("explain", "-", "--format", "short", stdin=self.SPEC.replace("2x2", "2x3"))
        self.assertEqual((1, ""), (status, out))
        self.assertIn("FS3002", err)

    def test_a_warning(self):
        status, out, err = run("explain", "-", "--format", "short", "--set", "provisioning.zones=[us-east5-c]", stdin=self.SPEC)
        self.assertEqual(0, status)
        self.assertIn("FS3017", err)
        self.assert_begins("sleep-1: ", out)

    def test_missing_file(self):
        status, out, err = run("explain", "no/such.yaml")
        self.assertEqual((3, ""), (status, out))
        self.assertIn("no/such.yaml: no such file or directory", err)

    def test_a_file_called_like_nothing_known(self):
        with tempfile.TemporaryDirectory() as directory:
            (pathlib.Path(directory) / "mine").write_text(self.SPEC)
            (pathlib.Path(directory) / "v6e").write_text(self.SPEC)
            self.assert_begins("sleep-1: ", run("explain", "mine", cwd=directory)[1])
            self.assert_begins("v6e: ", run("explain", "v6e", cwd=directory)[1])
            self.assert_begins("sleep-1: ", run("explain", "./v6e", cwd=directory)[1])
            pathlib.Path(directory, "pods").mkdir()
            (pathlib.Path(directory, "pods") / "job.yaml").write_bytes((ROOT / "examples/multi-host/expected/manifests.yaml").read_bytes())
            self.assertIn("Placed: Job `job-1`", run("explain", "pods", cwd=directory)[1])


class Topics(Words):
    def names(self):
        for name, generation in generations().items():
            yield from [name, *generation["names"]]
            for machine in generation["machineTypes"]:
                yield from [machine["name"], machine["accelerator"]]
                yield from (shape if isinstance(shape, str) else shape["topology"] for shape in machine["shapes"])
            yield from (zone["name"] for zone in generation["zones"])
        yield from models()
        yield from (feature["name"] for feature in read("features.yaml")["features"])
        yield from (port["number"] for port in read("ports.yaml")["ports"])
        yield from (source["id"] for source in read("sources.yaml")["sources"])
        yield from (mistake["name"] for mistake in read("mistakes.yaml")["mistakes"])
        yield from (reserved["name"].replace("*", "X") for reserved in read("reserved.yaml")["reservedEnv"])

    def test_every_name_of_the_catalog(self):
        for name in sorted(set(self.names())):
            with self.subTest(name=name):
                status, out, err = run("explain", name)
                self.assertEqual((0, ""), (status, err))
                self.assertGreater(len(out.splitlines()), 1)
                self.assertEqual([], [line for line in out.splitlines() if len(line) > 80 or line != line.rstrip()])
                # Names are found in whatever case they are written, product names above all.
                if name in generations():
                    self.assertEqual(out, run("explain", name.upper())[1])

    def test_every_field(self):
        docs = dict(re.findall(r"^### `(.+)`\n\n(.+)\n", (ROOT / "schemas/fields.md").read_text(), re.MULTILINE))
        self.assertGreater(len(docs), 80)
        for path, doc in docs.items():
            with self.subTest(path=path):
                status, out, _ = run("explain", "field", path)
                self.assertEqual(0, status)
                self.assert_begins(f"{path}: field of a spec ", one_line(out))
                self.assertIn(doc, one_line(out))

    def test_every_code(self):
        rows = yaml.safe_load((ROOT / "src/diag/diagnostics.yaml").read_text())
        self.assertGreater(len(rows), 50)
        for code, row in rows.items():
            with self.subTest(code=code):
                status, out, _ = run("explain", code)
                self.assertEqual(0, status)
                if "now" in row:
                    self.assertEqual(run("explain", row["now"])[1], out)
                    self.assertRegex(one_line(out), f"Earlier versions called it .*{code}.* too, which is still accepted.$")
                    continue
                words = {"error": "error", "soft": "error, can be allowed", "warning": "warning", "note": "note"}[row["level"]]
                self.assert_begins(f"{code}: {row['name']} ({words})\n", out)
                self.assertEqual([], [line for line in out.splitlines() if len(line) > 80])
                message = out.split("\n\n")[1]
                self.assertIsNone(re.search("…|<>|[{]", message), f"{message}: a value has no name")
                self.assertEqual(out, run("explain", code.lower())[1])

    def test_examples_of_what_is_wrong_and_right(self):
        """Each is a paragraph, and braces are those of YAML."""
        out = run("explain", "FS5006")[1]
        self.assertRegex(out, r"\n\nWrong: `requests: {google.com/tpu: 4}` alone.\n\nRight: [^\n]+\n\Z")

    def test_support_is_the_tables(self):
        for name, model in models().items():
            out = section(run("explain", "model", name)[1], "Generations")
            for generation in generations():
                with self.subTest(model=name, generation=generation):
                    answer = re.search(rf"^  {generation} +(not known|\w+)", out, re.MULTILINE).group(1)
                    self.assertEqual(knowledge.supported(model, generation), answer not in ("no", "not known"), out)

    def test_both_directions_of_one_chip(self):
        out = run("explain", "topology", "1x1")[1]
        self.assertIn("v5e  ct5lp-hightpu-1t  1 host of 1 chip", out)
        self.assertIn("v6e  ct6e-standard-1t  1 host of 1 chip", out)
        self.assertNotIn("v5p", out)

    def test_all_matches(self):
        out = run("explain", "name")[1]
        for path in ["name", "cluster.name", "workload.volumes[].name"]:
            self.assertIn(f"{path}: field of a spec\n", out)

    def test_a_category_asks_one_table(self):
        self.assert_begins("tpu.topology: field of a spec\n", run("explain", "topology")[1])
        self.assertEqual((2, "", "flexslice: unknown zone `v6e`\n"), run("explain", "zone", "v6e"))

    def test_unknown(self):
        for words, message in [
            (["v6x"], "no information about `v6x`; did you mean `v6e`?"),
            (["trilium"], "no information about `trilium`; did you mean `Trillium`?"),
            (["ct6e-standard-3t"], "no information about `ct6e-standard-3t`; did you mean `ct6e-standard-1t`?"),
            (["FS9999"], "no information about `FS9999`"),
            (["qwertyuiop"], "no information about `qwertyuiop`"),
            (["zone", "us-east5-z"], "unknown zone `us-east5-z`; did you mean `us-east5-a`?"),
            (["provisioning.zone"], "no information about `provisioning.zone`; did you mean `provisioning.zones`?"),
            (["--format", "json", "v6e"], "--format json does not apply to explain, which is text; `compile --emit plan` gives the plan as JSON, "
             "and `check --format json` the findings"),
            (["field", "tpu.topologie"], "unknown field `tpu.topologie`; did you mean `tpu.topology`?"),
            ([], "missing argument: a spec, a code such as FS3002, or a topic such as v6e or 4x4"),
        ]:
            with self.subTest(words=words):
                self.assertEqual((2, "", f"flexslice: {message}\n"), run("explain", *words))

    def test_the_others_are_answered_all_the_same(self):
        status, out, err = run("explain", "8471", "qwertyuiop", "8431")
        self.assertEqual((2, "flexslice: no information about `qwertyuiop`\n"), (status, err))
        self.assertEqual(2, out.count("Container port\n"))


if __name__ == "__main__":
    unittest.main()
