"""Blueprints of Google's Cluster Toolkit: what is written for every example is read back as the same spec."""
import pathlib
import re
import tempfile
import unittest

import yaml

import importing

EXAMPLES = sorted((importing.ROOT / "examples").glob("*/spec.yaml")) + [importing.ROOT / "examples/platform/platform.yaml"]
# Examples that no blueprint can say, and the word of the reason.
REFUSED = {"autopilot-multislice": "Autopilot", "autopilot-single-host": "its name", "fallback": "ComputeClass", "sweep": "sweep"}
# Node pools as gcluster 1.95 expands the blueprint: number of nodes, or the most that it scales to; shape; whether flex-start.
POOLS = {
    "autoscaling": [(None, 3, None, False)], "batch-shards": [(4, None, None, False)], "everything": [(None, 2, "2x4", True)],
    "fine-tune": [(None, 2, None, True)], "gateway": [(None, 4, "4x4", False)] * 2, "ironwood": [(None, 16, "policy", True)],
    "multi-host": [(None, 4, "4x4", True)], "multislice": [(8, None, "4x8", False)] * 2, "new-cluster": [(None, 1, None, True)],
    "pathways": [(8, None, "4x8", False)] * 2, "queued": [(None, 4, "4x4", True)], "ray-fine-tune": [(4, None, "4x4", False)],
    "reservation": [(4, None, "2x2x4", False)], "serve": [(2, None, None, False)], "serve-with-router": [(4, None, "policy", False)],
    "team-queue": [], "v5p-multi-host": [(None, 2, "2x2x2", True)],
}


# Cluster configs of v2, and the node pools in the Terraform of the blueprints that its compiler makes of them, as gcluster expands these:
# machine type, topology, name, number of nodes, or the most that it scales to, slices, model, zone, reservation.
CONFIGS = {
    "base: gke\nvars: {deployment_name: trillium, project_id: my-project, region: us-east5, zone: us-east5-b, tpu_cluster_size: 4, tpu_num_slices: 2}\n"
    "compute_archetypes:\n- name: tpu-compute\n  machine_type: ct6e-standard-4t\n  settings: {static_node_count: $(vars.tpu_cluster_size), "
    "tpu_num_slices: $(vars.tpu_num_slices), tpu_topology: 4x4}\n": [("ct6e-standard-4t", "4x4", "tpu-compute", 4, 2, "on-demand", "us-east5-b", None)],
    "base: {type: gke, settings: {region: us-east5, zone: us-east5-b, release_channel: RAPID}}\n"
    "vars: {deployment_name: flexible, project_id: my-project, tpu_dws_flex_enabled: true}\ncompute_archetypes:\n- name: flex_pool\n  machine_type: tpu-v6e\n"
    "  settings: {autoscaling_max_node_count: 2}\n": [("ct6e-standard-4t", "2x4", "flex-pool", 2, 1, "flex-start", "us-east5-b", None)],
    "base: gke\nvars: {deployment_name: reserved, project_id: my-project, region: us-east5, zone: us-east5-b}\ncompute_archetypes:\n"
    "- name: held\n  machine_type: ct6e-standard-4t\n  settings:\n    tpu_topology: 4x4\n    static_node_count: 4\n"
    "    reservation_affinity: {consume_reservation_type: SPECIFIC_RESERVATION, specific_reservations: [{name: my-reservation}]}\n"
    "- name: cheap\n  machine_type: ct6e-standard-8t\n  settings: {spot: true, tpu_cluster_size: 1}\n":
        [("ct6e-standard-4t", "4x4", "held", 4, 1, "reservation", "us-east5-b", "my-reservation"), ("ct6e-standard-8t", "2x4", "cheap", 1, 1, "spot", "us-east5-b", None)],
}

# Settings of a node pool of v6e, and what gcluster 1.96 makes of them: the number of nodes, or the most that it scales to.
NUMBERS = (
    ({"machine_type": "$(vars.machine)", "placement_policy": {"type": "COMPACT", "tpu_topology": "$(vars.shape)"}}, (8, None)),
    ({"machine_type": "ct6e-standard-8t", "placement_policy": {"type": "COMPACT", "tpu_topology": "2x4"}}, (1, None)),
    ({"machine_type": "ct6e-standard-4t", "spot": True, "autoscaling_max_node_count": 4, "placement_policy": {"type": "COMPACT", "tpu_topology": "4x4"}}, (4, None)),
    ({"machine_type": "ct6e-standard-4t", "spot": True, "static_node_count": None, "autoscaling_max_node_count": 4,
      "placement_policy": {"type": "COMPACT", "tpu_topology": "4x4"}}, (None, 4)),
    ({"machine_type": "ct6e-standard-4t", "enable_flex_start": "$(vars.flex)", "auto_repair": False, "autoscaling_max_node_count": 4,
      "placement_policy": {"type": "COMPACT", "tpu_topology": "4x4"}}, (None, 4)),
)


def options(example):
    file = example / "options"
    return file.read_text().split() if file.exists() else []


def compiled(spec, directory, *more):
    done = importing.run("compile", "--allow", "FS4320", "--emit", "manifests,queues,volumes,blueprint", "--out-dir", str(directory), *more, str(spec))
    return done.returncode, done.stderr.decode(), sorted(pathlib.Path(directory).rglob("blueprint.yaml"))


def modules(blueprint):
    return [module for group in blueprint["deployment_groups"] for module in group["modules"]]


def without_owner(blueprint):
    """A policy has the cluster's name where scripts own it: a blueprint is Terraform's."""
    text = yaml.safe_dump(blueprint)
    for module in modules(blueprint):
        if module["source"].endswith("resource-policy"):
            text = text.replace(module["settings"]["name"], "POLICY")
    return text


def pool(module):
    settings = module["settings"]
    shape = "policy" if len(module["use"]) == 2 else settings.get("placement_policy", {}).get("tpu_topology")
    # gcluster sets a number that is missing, and leaves a null.
    assert "static_node_count" in settings
    return settings["static_node_count"], settings.get("autoscaling_max_node_count"), shape, settings.get("enable_flex_start", False)


class Blueprints(unittest.TestCase):
    def test_examples_come_back(self):
        for spec in EXAMPLES:
            example = spec.parent
            with self.subTest(example.name), tempfile.TemporaryDirectory() as directory:
                status, findings, (*files,) = compiled(spec, directory, *options(example))
                if example.name in REFUSED:
                    self.assertEqual(importing.FINDINGS, status)
                    self.assertIn("FS4210", findings)
                    self.assertIn(REFUSED[example.name], findings)
                    continue
                self.assertEqual(importing.FINE, status, f"an example that a blueprint can say, or a row of REFUSED:\n{findings}")
                for file in files:
                    self.read_back(example.name, file)

    def read_back(self, example, file):
        blueprint = yaml.safe_load(file.read_text())
        for staged in re.findall(r'ghpc_stage\("(.*?)"\)', file.read_text()):
            self.assertTrue((file.parent / staged).exists(), staged)
        linted = importing.run("lint", str(file))
        self.assertEqual((importing.FINE, b""), (linted.returncode, linted.stdout))
        pools = [module for module in modules(blueprint) if module["source"].endswith("gke-node-pool")]
        if example in POOLS:
            self.assertEqual(POOLS[example], [pool(module) for module in pools])
        imported = importing.run("import", str(file.parent))
        self.assertNotIn("FS5106", imported.stderr.decode())
        with tempfile.TemporaryDirectory() as directory:
            spec = pathlib.Path(directory) / "spec.yaml"
            spec.write_bytes(imported.stdout)
            status, findings, again = compiled(spec, pathlib.Path(directory) / "out")
            self.assertEqual(importing.FINE, status, findings)
            self.assertEqual(without_owner(blueprint), without_owner(yaml.safe_load(again[0].read_text())))

    def test_cluster_configs(self):
        """import reads the pools that the compiler's Terraform has."""
        for config, pools in CONFIGS.items():
            with self.subTest(pools[0]), tempfile.TemporaryDirectory() as directory:
                folder = pathlib.Path(directory)
                (folder / "config.yaml").write_text("config_" + config)
                linted = importing.run("lint", str(folder))
                self.assertEqual((importing.FINE, b""), (linted.returncode, linted.stdout))
                for machine, topology, name, _, slices, _, _, _ in pools:
                    workload = {"apiVersion": "flexslice/v1", "name": f"on-{name}", "cluster": {"name": "acme", "location": "us-east5"},
                                "tpu": {"type": "v6e", "topology": topology, "machineType": machine, "slices": slices},
                                "provisioning": {"model": "on-demand", "create": False}, "workload": {"kind": "jobset", "image": "busybox:1.36", "command": ["true"]}}
                    done = importing.run("compile", "--emit", "manifests", "-", stdin=yaml.safe_dump(workload).encode())
                    (folder / f"{name}.yaml").write_bytes(done.stdout)
                specs = {spec["name"]: spec for spec in yaml.safe_load_all(importing.run("import", str(folder)).stdout)}
                self.assertEqual({f"on-{pool[2]}": pool for pool in pools}, {name: self.pool_of(spec) for name, spec in specs.items()})

    @staticmethod
    def pool_of(spec):
        """What compile makes of the spec, as a row of CONFIGS."""
        done = importing.run("compile", "--emit", "plan", "-", stdin=yaml.safe_dump(spec).encode())
        assert done.returncode == importing.FINE, done.stderr.decode()
        plan = yaml.safe_load(done.stdout)
        tpu, pools, model = plan["tpu"], plan["pools"], plan["provisioning"]
        name = pools[0]["name"].removesuffix("-0") if len(pools) > 1 else pools[0]["name"]
        nodes = {pool.get("maxNodes", pool.get("nodes")) for pool in pools}
        assert len(nodes) == 1 and len(pools) == tpu["slices"], pools
        return (tpu["machineType"], tpu["topology"], name, *nodes, tpu["slices"], model["model"], model["zone"], model.get("reservation", {}).get("name"))

    def test_numbers_of_nodes(self):
        """A slice has a fixed number of nodes, unless the blueprint says otherwise."""
        for settings, expected in NUMBERS:
            shape = settings["placement_policy"]["tpu_topology"].replace("$(vars.shape)", "4x8")
            blueprint = {"blueprint_name": "b", "vars": {"deployment_name": "acme", "region": "us-east5", "machine": "ct6e-standard-4t", "shape": "4x8", "flex": True},
                         "deployment_groups": [{"group": "main", "modules": [
                             {"id": "cluster", "source": "modules/scheduler/pre-existing-gke-cluster", "settings": {"cluster_name": "acme"}},
                             {"id": "pool", "source": "modules/compute/gke-node-pool", "use": ["cluster"], "settings": {"name": "pool", "zones": ["us-east5-b"], **settings}}]}]}
            workload = {"apiVersion": "flexslice/v1", "name": "run", "cluster": {"name": "acme", "location": "us-east5"},
                        "tpu": {"type": "v6e", "topology": shape}, "provisioning": {"model": "on-demand", "create": False},
                        "workload": {"kind": "jobset", "image": "busybox:1.36", "command": ["true"]}}
            if "8t" in settings["machine_type"]:
                workload["tpu"]["machineType"] = settings["machine_type"]
            jobs = importing.run("compile", "--emit", "manifests", "-", stdin=yaml.safe_dump(workload).encode())
            with self.subTest(settings), tempfile.TemporaryDirectory() as directory:
                (pathlib.Path(directory) / "blueprint.yaml").write_text(yaml.safe_dump(blueprint))
                (pathlib.Path(directory) / "job.yaml").write_bytes(jobs.stdout)
                linted = importing.run("lint", directory)
                self.assertEqual((importing.FINE, b""), (linted.returncode, linted.stdout))
                spec = importing.run("import", directory).stdout
                again = importing.run("compile", "--emit", "blueprint", "-", stdin=spec)
                self.assertEqual(importing.FINE, again.returncode, again.stderr.decode())
                (made,) = [module for module in modules(yaml.safe_load(again.stdout)) if module["source"].endswith("gke-node-pool")]
                self.assertEqual(expected, pool(made)[:2])

    def test_reservation_of_another_project(self):
        spec = {"apiVersion": "flexslice/v1", "name": "train", "cluster": {"name": "acme", "location": "us-east5-b", "project": "ours"},
                "tpu": {"type": "v6e", "topology": "4x4"},
                "provisioning": {"model": "reservation", "reservation": "projects/theirs/reservations/res/reservationBlocks/b-1", "zones": ["us-east5-b"]},
                "workload": {"image": "busybox:1.36", "command": ["true"]}}
        done = importing.run("compile", "--emit", "blueprint", "-", stdin=yaml.safe_dump(spec).encode())
        self.assertEqual(importing.FINE, done.returncode, done.stderr.decode())
        made = yaml.safe_load(done.stdout)
        self.assertEqual("us-east5-b", modules(made)[0]["settings"]["region"])
        settings = next(each for each in modules(made) if each["source"].endswith("gke-node-pool"))["settings"]
        self.assertEqual([{"name": "res/reservationBlocks/b-1", "project": "theirs"}], settings["reservation_affinity"]["specific_reservations"])

    def test_name_of_a_pool(self):
        """The module takes 36 characters."""
        for name, status in ("a" * 30, importing.FINE), ("a" * 38, importing.FINDINGS):
            spec = {"apiVersion": "flexslice/v1", "name": "train", "cluster": {"name": "acme", "location": "us-east5"}, "tpu": {"type": "v6e", "topology": "4x4"},
                    "provisioning": {"model": "spot", "zones": ["us-east5-b"], "nodePool": name}, "workload": {"image": "busybox:1.36", "command": ["true"]}}
            done = importing.run("compile", "--emit", "blueprint", "-", stdin=yaml.safe_dump(spec).encode())
            self.assertEqual(status, done.returncode, done.stderr.decode())
            self.assertEqual(status == importing.FINDINGS, b"36 characters" in done.stderr)

    def test_owner(self):
        """gcluster deploys with Terraform, so that it owns what the blueprint makes."""
        spec = (importing.ROOT / "examples/multi-host/spec.yaml").read_text()
        said = importing.run("compile", "--emit", "blueprint", "--set", "provisioning.owner=config-connector", "--set", "provisioning.model=spot", "-", stdin=spec.encode())
        self.assertIn("write `provisioning.owner: terraform`", said.stderr.decode())
        said = importing.run("compile", "--emit", "blueprint", "--set", "provisioning.owner=terraform", "-", stdin=spec.encode())
        self.assertEqual((importing.FINE, ""), (said.returncode, said.stderr.decode()))


if __name__ == "__main__":
    unittest.main()
