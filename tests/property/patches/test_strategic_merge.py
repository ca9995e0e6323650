"""Strategic merge patches change objects as `kubectl patch --local` does: cases written by hand, and made ones."""
import json
import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import unittest

import yaml

# The list, its key, the values of that, and what else an item may have.
LISTS = {
    "ports": ("containerPort", [80, 8080, 9000], {"name": ["http", "grpc"], "protocol": ["TCP", "UDP"]}),
    "env": ("name", ["A", "B", "C", "D"], {"value": ["1", "2"], "valueFrom": [{"fieldRef": {"fieldPath": "metadata.name"}}]}),
    "volumeMounts": ("mountPath", ["/a", "/b", "/c"], {"name": ["v", "w"], "readOnly": [True, False], "subPath": ["x"]}),
    "volumeDevices": ("devicePath", ["/dev/a", "/dev/b"], {"name": ["v"]}),
}
OF_POD = {
    "volumes": ("name", ["v", "w", "x"], {"emptyDir": [{}, {"medium": "Memory"}, {"sizeLimit": "1Gi"}], "configMap": [{"name": "c", "items": [{"key": "k", "path": "p"}]}]}),
    "imagePullSecrets": ("name", ["a", "b", "c"], {}),
    "hostAliases": ("ip", ["10.0.0.1", "10.0.0.2", "10.0.0.3"], {"hostnames": [["a"], ["b", "c"]]}),
    "topologySpreadConstraints": ("topologyKey", ["zone", "host"], {"maxSkew": [1, 2], "whenUnsatisfiable": ["DoNotSchedule"]}),
    "schedulingGates": ("name", ["a/x", "b/y"], {}),
    "resourceClaims": ("name", ["a", "b"], {"resourceClaimName": ["r", "s"]}),
}
# Those without a key, and mappings.
PLAIN = {
    "tolerations": [[{"key": "a", "operator": "Exists"}], [{"key": "b", "value": "1"}, {"operator": "Exists"}], []],
    "nodeSelector": [{"a": "1"}, {"b": "2", "c": "3"}, {"a": None}, {"$patch": "replace", "d": "4"}, {"$patch": "delete"}],
    "securityContext": [{"runAsUser": 1}, {"fsGroup": 2, "sysctls": [{"name": "a.b", "value": "1"}]}, {"$patch": "replace", "runAsGroup": 3}, {"$patch": "delete"}],
    "dnsConfig": [{"nameservers": ["1.1.1.1"]}, {"nameservers": ["8.8.8.8"], "options": [{"name": "a"}]}],
    "hostNetwork": [True, False], "priorityClassName": ["high", "low"],
}
OF_CONTAINER = {
    "image": ["i:1", "i:2"], "args": [["a"], ["b", "c"]], "envFrom": [[{"configMapRef": {"name": "a"}}], [{"secretRef": {"name": "b"}}]],
    "resources": [{"limits": {"cpu": "1"}}, {"limits": {"cpu": None, "memory": "1Gi"}}, {"$patch": "replace", "requests": {"cpu": "2"}}],
    "readinessProbe": [{"httpGet": {"path": "/a", "port": 80}, "periodSeconds": 5}, {"httpGet": None, "tcpSocket": {"port": 80}}],
}

# Patches, for each of which kubectl is started: all in `strategic-merge-whole`.
SEEDS = 150 if os.environ.get("FLEXSLICE_WHOLE") else 30


class Made:
    """Objects and patches, from few names, so that they meet."""

    def __init__(self, seed):
        self.choice = random.Random(seed)

    def some(self, things, least=0):
        things = list(things)
        return self.choice.sample(things, self.choice.randint(min(least, len(things)), len(things)))

    def list_of(self, kind, patch):
        key, keys, others = kind
        items = []
        for value in self.some(keys):
            item = {key: value}
            if patch and self.choice.random() < 0.2:
                item["$patch"] = "delete"
            else:
                for name in self.some(others):
                    item[name] = None if patch and self.choice.random() < 0.2 else self.choice.choice(others[name])
            items.append(item)
        return self.replacing(items, patch)

    def replacing(self, items, patch):
        if patch and self.choice.random() < 0.15:
            items.insert(self.choice.randint(0, len(items)), {"$patch": "replace"})
        return items

    def plain(self, choices, patch):
        """`$patch` where the object has nothing is kubectl's own affair: it drops the whole mapping."""
        found = {}
        for name in self.some(choices):
            values = choices[name]
            if not patch:
                values = [each for each in values if not isinstance(each, dict) or ("$patch" not in each and None not in each.values())]
            found[name] = self.choice.choice(values)
        return found

    def containers(self, names, patch):
        items = []
        for name in self.some(names, 0 if patch else 1):
            if patch and self.choice.random() < 0.15:
                items.append({"name": name, "$patch": "delete"})
                continue
            container = {"name": name, **self.plain(OF_CONTAINER, patch)}
            container |= {each: self.list_of(LISTS[each], patch) for each in self.some(LISTS)}
            items.append(container)
        return self.replacing(items, patch)

    def pod(self, patch):
        pod = self.plain(PLAIN, patch) | {each: self.list_of(OF_POD[each], patch) for each in self.some(OF_POD)}
        if not patch or self.choice.random() < 0.8:
            pod["containers"] = self.containers(["main", "proxy", "log"], patch)
        if self.choice.random() < 0.3:
            pod["initContainers"] = self.containers(["init", "more"], patch)
        return pod

    def target(self, index):
        kind, version, spec = self.choice.choice([
            ("Job", "batch/v1", {"parallelism": 2}),
            ("Deployment", "apps/v1", {"replicas": 1, "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}}, "selector": {"matchLabels": {"a": "b"}}}),
        ])
        metadata = {"name": f"o{index}", "labels": {"a": "b"}, "finalizers": self.some(["f/a", "f/b", "f/c"])}
        return {"apiVersion": version, "kind": kind, "metadata": metadata, "spec": {**spec, "template": {"metadata": {"labels": {"a": "b"}}, "spec": self.pod(False)}}}

    def patch(self):
        patch = {"spec": {"template": {"spec": self.pod(True)}}}
        if self.choice.random() < 0.3:
            patch["metadata"] = {"labels": {"a": None, "c": "d"}, "finalizers": self.some(["f/b", "f/d", "f/e"])}
        return patch


def meets_nothing(patch, target):
    """Whether the patch has a directive in what the object lacks."""
    if isinstance(patch, dict):
        if "$patch" in patch and not isinstance(target, dict):
            return True
        return any(meets_nothing(value, target.get(key) if isinstance(target, dict) else None) for key, value in patch.items() if key != "$patch")
    if isinstance(patch, list) and not any(isinstance(item, dict) and item.get("$patch") == "replace" for item in patch):
        for item in patch:
            if not isinstance(item, dict) or "$patch" in item:
                continue
            key = next(iter(item))
            known = target if isinstance(target, list) else []
            other = next((each for each in known if isinstance(each, dict) and each.get(key) == item[key]), None)
            if other is None and has_directive(item):
                return True
            if other is not None and meets_nothing(item, other):
                return True
        return False
    return has_directive([each for each in patch if "$patch" not in each]) if isinstance(patch, list) else False


def has_directive(value):
    if isinstance(value, dict):
        return "$patch" in value or any(map(has_directive, value.values()))
    return isinstance(value, list) and any(map(has_directive, value))


def without_nulls(value):
    """kubectl keeps those of an item that it adds."""
    if isinstance(value, dict):
        return {key: without_nulls(member) for key, member in value.items() if member is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


class StrategicMerge(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        if not shutil.which("kubectl"):
            if os.environ.get("CI"):
                raise AssertionError("kubectl is missing")
            raise unittest.SkipTest("kubectl is missing")

    def merged(self, pairs):
        text = "".join(json.dumps(pair) + "\n" for pair in pairs)
        done = subprocess.run([os.environ["FLEXSLICE_MERGE_PATCH"], "strategic"], input=text.encode(), capture_output=True, check=True)
        return list(yaml.load_all(done.stdout, yaml.SafeLoader))

    def by_kubectl(self, targets, patch):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "objects.yaml"
            path.write_text("".join(f"---\n{json.dumps(target)}\n" for target in targets))
            done = subprocess.run(["kubectl", "patch", "--local", "--type=strategic", "-p", json.dumps(patch), "-f", path, "-o", "json"],
                                  capture_output=True, check=False, env={**os.environ, "HOME": folder, "KUBECONFIG": ""})
        self.assertEqual(b"", done.stderr)
        decoder, text, objects = json.JSONDecoder(), done.stdout.decode().strip(), []
        while text:
            found, end = decoder.raw_decode(text)
            objects += found["items"] if found["kind"] == "List" else [found]
            text = text[end:].strip()
        return objects

    def test_made(self):
        done = 0
        for seed in range(SEEDS):
            made = Made(seed)
            targets, patch = [made.target(index) for index in range(6)], made.patch()
            targets = [each for each in targets if not meets_nothing(patch, each)]
            if not targets:
                continue
            wanted = self.by_kubectl(targets, patch)
            for target, other, ours in zip(targets, wanted, self.merged([[target, patch] for target in targets]), strict=True):
                self.assertEqual(without_nulls(other), without_nulls(ours), f"seed {seed}\n{json.dumps(target)}\n{json.dumps(patch)}")
                done += 1
        self.assertGreater(done, 2 * SEEDS)

    def test_by_hand(self):
        """What the made ones have seldom or never."""
        job = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "j"}, "spec": {"template": {"spec": {"containers": [
            {"name": "main", "ports": [{"containerPort": 53, "protocol": "UDP"}, {"containerPort": 53, "protocol": "TCP"}, {"containerPort": 80}]}, {"name": "log"}]}}}}
        service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s"}, "spec": {"ports": [{"port": 80, "name": "a"}, {"port": 81, "name": "b"}], "selector": {"a": "b"}}}
        budget = {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "p"}, "spec": {"minAvailable": 1, "selector": {"matchLabels": {"a": "b"}}}}

        def main(**fields):
            return {"spec": {"template": {"spec": {"containers": [{"name": "main", **fields}]}}}}

        for target, patch in (
            (job, main(ports=[{"containerPort": 53, "hostPort": 53}])),
            (job, main(ports=[{"containerPort": 53, "$patch": "delete"}])),
            (job, main(ports=[{"containerPort": 80, "name": "http"}, {"containerPort": 53, "name": "dns"}])),
            (job, main(ports=[])),
            (job, main(ports=None)),
            (job, main(ports=[{"$patch": "replace"}])),
            (job, {"spec": {"template": {"spec": {"containers": [{"name": "log", "image": "l"}, {"name": "main", "image": "m"}]}}}}),
            (job, {"spec": {"template": {"spec": {"containers": [{"name": "new"}, {"name": "log", "image": "l"}]}}}}),
            (job, {"metadata": {"finalizers": ["a/b"], "ownerReferences": [{"uid": "1", "kind": "A"}]}}),
            (service, {"spec": {"ports": [{"port": 81, "targetPort": 8081}, {"port": 82}], "selector": {"c": "d"}}}),
            (service, {"spec": {"ports": [{"port": 80, "$patch": "delete"}]}}),
            (budget, {"spec": {"selector": {"matchLabels": {"c": "d"}}}}),
        ):
            with self.subTest(patch=patch):
                self.assertEqual(self.by_kubectl([target], patch), self.merged([[target, patch]]))


if __name__ == "__main__":
    unittest.main()
