"""preflight.sh through the real gcloud and kubectl: everything is there, each thing is missing, nobody may look.

What is needed stands here, by hand; what each check says is compared line by line.
"""

import shutil
import tempfile
import unittest
from pathlib import Path

from artifacts import compile_example, compile_spec
from expectations import API, EXAMPLES, Meant
from fake_google import region_of
from life import Life, ScriptCase
from sandbox import of_whole

SPEC = """\
apiVersion: flexslice/v1
name: t
cluster: {{name: c, location: us-east5, project: my-project{cluster}}}
tpu: {{{tpu}}}
provisioning: {{{provisioning}}}
workload: {{image: busybox}}
"""


def controller(life, name, tag):
    """Puts the deployment of a controller into the cluster."""
    containers = [{"name": "proxy", "image": "proxy:v9.9.9"}, {"name": "manager", "image": f"registry.k8s.io/{name}/{name}:{tag}"}]
    life.kubernetes.add("Deployment", f"{name}-controller-manager", f"{name}-system", spec={"template": {"spec": {"containers": containers}}})


class PreflightCase(ScriptCase):
    """One life a test, with what helps to look at the lines."""

    def life(self, meant, folder):
        life = self.enterContext(Life(meant, folder))
        life.fake.services[f"projects/{meant.project}/services/{API}"] = "ENABLED"
        life.fake.add_quota("HDB_TOTAL_GB", region_of(meant.location), 40960, project=meant.project)
        return life

    def of_spec(self, tpu="type: v6e, topology: 4x4", provisioning="zones: [us-east5-b]", cluster="", new_cluster=None, location="us-east5",
                workload=""):
        folder = self.folder()
        spec = SPEC.format(tpu=tpu, provisioning=provisioning, cluster=cluster).replace("us-east5,", f"{location},")
        spec = spec.replace("workload: {", f"workload: {{{workload}", 1)
        return self.life(Meant(location, ["job/t"], "job-name=t", cluster="c", project="my-project", new_cluster=new_cluster), compile_spec(spec, folder))

    def folder(self):
        return Path(self.enterContext(tempfile.TemporaryDirectory()))

    def look(self, life, *arguments):
        """Runs the script, which must only read. Its lines, and its exit status."""
        before = life.state(), life.kubernetes.names()
        done = life.run("preflight", *arguments)
        self.assertEqual((life.state(), life.kubernetes.names()), before)
        self.assertEqual({request.method for request in life.fake.requests} - {"GET"}, set())
        self.assertEqual({method for method, _ in life.kubernetes.requests} - {"GET"}, set())
        self.check_quiet(life)
        lines = done.stdout.splitlines()
        missing, unknown, later = (sum(line.startswith(word) for line in lines) for word in ("missing ", "cannot tell ", "not yet "))
        more = f", {later} not yet: run it again when the cluster exists" if later else ""
        self.assertIn(f"preflight.sh: {missing} missing, {unknown} cannot tell{more}\n", done.stderr)
        self.assertEqual(done.returncode, 1 if missing else 0, done.stdout + done.stderr)
        self.assertNotIn("stopped", done.stderr)
        return lines

    def found(self, life, *wanted):
        """Exactly these lines are not ok; a line may go on after what is given."""
        lines = [line for line in self.look(life) if not line.startswith("ok ")]
        self.assertEqual(len(lines), len(wanted), lines)
        for line, start in zip(lines, wanted, strict=True):
            self.assertTrue(line.startswith(start), f"{line}\nis not\n{start}")


class Everything(PreflightCase):
    """The example that uses most of what there is."""

    def setUp(self):
        self.all = life = self.life(EXAMPLES["everything"], compile_example("everything", self.folder()))
        cluster = life.fake.clusters[life.meant.cluster_path[4:]]
        cluster |= {"workloadIdentityConfig": {"workloadPool": "my-project.svc.id.goog"},
                    "addonsConfig": {"gcsFuseCsiDriverConfig": {"enabled": True}}}
        life.fake.add_quota_info("PREEMPTIBLE-TPU-V6E-per-project-region", [
            ({"region": "us-east1"}, 0, ["us-east1"]), ({"region": "us-east5"}, 8, ["us-east5"])], "my-project")
        life.fake.buckets.add("my-training-bucket")
        controller(life, "kueue", "v0.20.7")
        controller(life, "jobset", "v0.12.0")
        add = life.kubernetes.add
        add("Namespace", "team-a")
        add("PriorityClass", "high")
        for name in ("registry-key", "other-key", "keys"):
            add("Secret", name, "team-a", data={})
        add("Secret", "hub", "team-a", data={"token": "c2VjcmV0LXZhbHVl", "other": ""})
        add("ConfigMap", "settings", "team-a", data={"mode": "fast"})
        add("PersistentVolumeClaim", "results", "team-a", spec={"accessModes": ["ReadWriteOnce", "ReadWriteMany"]})
        add("ServiceAccount", "trainer", "team-a")

    def drop(self, kind, name, namespace="team-a"):
        del self.all.kubernetes.objects[namespace, kind, name]

    def test_all_is_there(self):
        lines = self.look(self.all)
        self.assertEqual(lines, [f"ok           {line}" for line in (
            "API container.googleapis.com",
            "Cluster my-cluster in us-east5: GKE 1.34.1-gke.2000000",
            "Quota of 8 chips, Preemptible TPU slices v6e in us-east5: the limit is 8",
            "Quota of 400 GB for disks, HDB_TOTAL_GB in us-east5: 40960 less 0 in use",
            "GKE 1.33.0-gke.1712000 for flex-start for v6e",
            "GKE 1.31.2-gke.1115000 for v6e on Standard",
            "Workload Identity of cluster my-cluster: my-project.svc.id.goog",
            "Add-on GcsFuseCsiDriver of cluster my-cluster",
            "Kueue with the API kueue.x-k8s.io/v1beta2",
            "Kueue 0.15.0 or later for the API kueue.x-k8s.io/v1beta2: 0.20.7",
            "Kueue 0.20.0 or later for what the spec says: 0.20.7",
            "JobSet with the API jobset.x-k8s.io/v1alpha2",
            "JobSet 0.9.0 or later for groupName of a replicated Job: 0.12.0",
            "JobSet 0.12.0 or later for what the spec says: 0.12.0",
            "Namespace team-a",
            "ServiceAccount trainer",
            "PriorityClass high",
            "Secret registry-key",
            "Secret other-key",
            "Secret hub with token",
            "Secret keys",
            "ConfigMap settings with mode",
            "PersistentVolumeClaim results for pods on 2 nodes",
            "Bucket my-training-bucket")])
        # One describe, and one for the credentials.
        self.assertEqual([request.path for request in self.all.fake.requests].count(self.all.meant.cluster_path), 2)
        said = "".join(lines)
        self.assertNotIn("c2VjcmV0LXZhbHVl", said)
        self.assertNotIn("secret-value", said)

    @of_whole
    def test_each_is_missing(self):
        quotas = self.all.fake.quota_infos
        cluster = self.all.fake.clusters[self.all.meant.cluster_path[4:]]
        objects = self.all.kubernetes.objects
        steps = (
            (self.all.fake.services.clear, "API container.googleapis.com: not enabled"),
            (lambda: next(iter(quotas.values()))[1]["details"].update(value="7"),
             "Quota of 8 chips, Preemptible TPU slices v6e in us-east5: the limit is 7"),
            (lambda: cluster.update(currentMasterVersion="1.32.9-gke.9000000"),
             "GKE 1.33.0-gke.1712000 for flex-start for v6e: the cluster has 1.32.9-gke.9000000"),
            (lambda: cluster.pop("workloadIdentityConfig"), "Workload Identity of cluster my-cluster: not set"),
            (lambda: cluster.pop("addonsConfig"), "Add-on GcsFuseCsiDriver of cluster my-cluster: it is '', and should be 'True'"),
            (lambda: self.all.kubernetes.kinds["kueue.x-k8s.io/v1beta2"].remove(("ClusterQueue", "clusterqueues", False)),
             "Kueue with the API kueue.x-k8s.io/v1beta2: it has no ClusterQueue; https://kueue.sigs.k8s.io"),
            (lambda: controller(self.all, "kueue", "v0.14.9"), "Kueue 0.15.0 or later for the API kueue.x-k8s.io/v1beta2: it has 0.14.9"),
            (lambda: None, "Kueue 0.20.0 or later for what the spec says: it has 0.14.9"),
            (lambda: self.all.kubernetes.kinds.pop("jobset.x-k8s.io/v1alpha2"),
             "JobSet with the API jobset.x-k8s.io/v1alpha2: not installed, or with other versions of its API"),
            (lambda: controller(self.all, "jobset", "v0.8.10"), "JobSet 0.9.0 or later for groupName of a replicated Job: it has 0.8.10"),
            (lambda: None, "JobSet 0.12.0 or later for what the spec says: it has 0.8.10"),
            (lambda: self.drop("Namespace", "team-a", None), "Namespace team-a: Error from server (NotFound)"),
            (lambda: self.drop("ServiceAccount", "trainer"), "ServiceAccount trainer: "),
            (lambda: self.drop("PriorityClass", "high", None), "PriorityClass high: "),
            (lambda: self.drop("Secret", "other-key"), "Secret other-key: "),
            (lambda: objects["team-a", "Secret", "hub"]["data"].pop("token"), "Secret hub with token: no key token"),
            (lambda: objects["team-a", "ConfigMap", "settings"].update(data={"Mode": ""}), "ConfigMap settings with mode: no key mode"),
            (lambda: objects["team-a", "PersistentVolumeClaim", "results"]["spec"].update(accessModes=["ReadWriteOnce"]),
             "PersistentVolumeClaim results for pods on 2 nodes: it has ReadWriteOnce, which one node can mount"),
            (self.all.fake.buckets.clear, "Bucket my-training-bucket: "))
        wanted = []
        for step, line in steps:
            step()
            wanted.append(f"missing      {line}")
        self.found(self.all, *wanted)

    @of_whole
    def test_cluster_is_missing(self):
        self.all.fake.clusters.pop(self.all.meant.cluster_path[4:])
        lines = [line for line in self.look(self.all) if not line.startswith("ok ")]
        self.assertEqual([line for line in lines if line.startswith("missing")][0].partition(": ")[0], "missing      Cluster my-cluster in us-east5")
        self.assertIn("cannot tell  Secret hub with token: no connection to the cluster", lines)
        self.assertIn("cannot tell  GKE 1.33.0-gke.1712000 for flex-start for v6e: the version of the cluster is not known", lines)
        self.assertIn("cannot tell  Workload Identity of cluster my-cluster: the cluster is not known", lines)
        self.assertIn("cannot tell  Add-on GcsFuseCsiDriver of cluster my-cluster: the cluster is not known", lines)

    def test_nobody_may_look(self):
        self.all.fake.fail_next("GET", ".", 403, "no permission for this", times=99)
        self.all.kubernetes.refuse("GET", ".", 403, "no permission for this")
        lines = self.look(self.all)
        self.assertEqual({line[:11] for line in lines}, {"cannot tell"})
        self.assertEqual(len(lines), 25)  # credentials are a line of their own then

    @of_whole
    def test_cluster_may_not_be_read(self):
        self.all.kubernetes.refuse("GET", "^/api.*/(secrets|namespaces)/[^/]*$", 403, "secrets is forbidden")
        lines = [line for line in self.look(self.all) if not line.startswith("ok ")]
        self.assertEqual([line.partition(":")[0] for line in lines], [f"cannot tell  {what}" for what in (
            "Namespace team-a", "Secret registry-key", "Secret other-key", "Secret hub with token", "Secret keys")])

    @of_whole
    def test_control_plane_is_out_of_reach(self):
        # The second check does not wait for it again.
        self.all.kubernetes.stop()
        before = {"API", "Quota", "Cluster", "GKE", "Workload", "Add-on", "Bucket"}
        for line in (done := self.all.run("preflight")).stdout.splitlines():
            ok = line[13:].split()[0] in before
            self.assertEqual(line.startswith("ok "), ok, line)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout.count("no connection to the cluster"), 14)

    def gives_up(self, why):
        """One line and a status of its own, rather than that nothing is missing."""
        self.all.forget()
        done = self.all.run("preflight")
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertTrue(done.stderr.splitlines()[-1].startswith(f"preflight.sh: {why}"), done.stderr)
        self.check_quiet(self.all)

    @of_whole
    def test_no_login(self):
        """gcloud gives the same advice in each such message; a denied request does not have it."""
        self.all.sandbox.answer("gcloud", rc=1, stderr="ERROR: (gcloud.services.list) There was a problem refreshing your current auth tokens: "
                                "Reauthentication failed. cannot prompt during non-interactive execution.\nPlease run:\n\n  $ gcloud auth login\n")
        self.gives_up("no valid login: (gcloud.services.list) There was a problem refreshing your current auth tokens: Reauthentication failed.")
        self.assertEqual(len(self.all.sandbox.calls("gcloud")), 1)

    def test_no_programs(self):
        folder = self.folder()
        for name in ("mktemp", "rm"):
            (folder / name).symlink_to(shutil.which(name))
        self.all.sandbox.env["PATH"] = str(folder)
        self.gives_up("gcloud is not installed, or not on PATH")
        (folder / "gcloud").symlink_to("/bin/false")
        self.gives_up("kubectl is not installed, or not on PATH")

    def test_dry_run_asks_nothing(self):
        done = self.all.run("preflight", "--dry-run")
        self.assertEqual((done.returncode, self.all.fake.requests, self.all.kubernetes.requests), (0, [], []))
        self.assertIn("gcloud beta quotas info describe PREEMPTIBLE-TPU-V6E-per-project-region", done.stdout)
        self.assertNotIn("cannot", done.stdout + done.stderr)


class Capacity(PreflightCase):
    """Quota and reservations."""

    def test_quota_of_a_region(self):
        life = self.of_spec("type: v5e, topology: 4x4", "model: spot, zones: [us-west4-a]", location="us-west4")
        what = "Quota of 16 chips, PREEMPTIBLE_TPU_LITE_PODSLICE_V5 in us-west4"
        self.found(life, f"cannot tell  {what}: the region does not list PREEMPTIBLE_TPU_LITE_PODSLICE_V5")
        life.fake.add_quota("TPU_LITE_PODSLICE_V5", "us-west4", 0, project="my-project")
        life.fake.add_quota("PREEMPTIBLE_TPU_LITE_PODSLICE_V5", "us-west4", 32, 16, "my-project")
        self.assertIn(f"ok           {what}: 32 less 16 in use", self.look(life))
        [quotas] = life.fake.quotas.values()
        quotas[-1]["usage"] = 17.0
        self.found(life, f"missing      {what}: the limit is 32, and 17 are in use")

    @of_whole
    def test_quota_that_its_own_pools_fill(self):
        life = self.of_spec("type: v5e, topology: 4x4, slices: 2", "model: spot, zones: [us-west4-a]", location="us-west4")
        controller(life, "jobset", "v0.9.0")
        what = "Quota of 32 chips, PREEMPTIBLE_TPU_LITE_PODSLICE_V5 in us-west4"
        life.fake.add_quota("PREEMPTIBLE_TPU_LITE_PODSLICE_V5", "us-west4", 32, 32, "my-project")
        full = f"{what}: the limit is 32, and 32 are in use"
        self.found(life, f"missing      {full}")
        life.fake.add_node_pool("t-pool-0", "c", "us-west4", "my-project")
        self.found(life, f"missing      {full}")  # there are none for the other pool
        life.fake.add_node_pool("t-pool-1", "c", "us-west4", "my-project")
        self.found(life, f"cannot tell  {full}, perhaps by t-pool-0 t-pool-1")
        self.assertIn("ok           Node pools that exist already: t-pool-0 t-pool-1", self.look(life))

    @of_whole
    def test_quota_of_disks(self):
        """Hosts of v6e boot from Hyperdisk alone, and what is left of its quota counts."""
        life = self.of_spec("type: v6e, topology: 4x4, slices: 2", "model: on-demand, zones: [us-east5-b], diskSize: 200Gi")
        life.fake.add_quota_info("TPUS-PER-TPU-FAMILY-per-project-region", [({"region": "us-east5", "tpu_family": "CT6E"}, 32, ["us-east5"])], "my-project")
        controller(life, "jobset", "v0.9.0")
        what = "Quota of 1600 GB for disks, HDB_TOTAL_GB in us-east5"
        [[quota]] = life.fake.quotas.values()
        quota |= {"limit": 2000.0, "usage": 400.0}
        self.assertIn(f"ok           {what}: 2000 less 400 in use", self.look(life))
        quota["usage"] = 1200.0
        full = f"{what}: the limit is 2000, and 1200 are in use"
        self.found(life, f"missing      {full}")
        life.fake.add_node_pool("t-pool-0", "c", "us-east5", "my-project")
        self.found(life, f"cannot tell  {full}, perhaps by t-pool-0")
        quota["usage"] = 1201.0
        self.found(life, "missing      " + full.replace('1200', '1201'))
        # What is unlimited is a number that gcloud prints with an exponent.
        quota |= {"limit": float(2 ** 63 - 1), "usage": 400.0}
        self.assertIn(f"ok           {what}: 999999999999999999 less 400 in use", self.look(life))
        life.fake.quotas.clear()
        self.found(life, f"cannot tell  {what}: ")

    @of_whole
    def test_quota_of_a_family(self):
        life = self.of_spec(provisioning="model: on-demand, zones: [us-east5-b]")
        what = "Quota of 16 chips, TPUs per TPU family, tpu_family: CT6E in us-east5"
        self.found(life, f"cannot tell  {what}: (gcloud.beta.quotas.info.describe) NOT_FOUND")

        def limits(*rows):
            life.fake.quota_infos.clear()
            life.fake.add_quota_info("TPUS-PER-TPU-FAMILY-per-project-region", rows, "my-project")
        limits(({"region": "us-east5", "tpu_family": "CT6E"}, 16, ["us-east5"]), ({"tpu_family": "CT6E"}, 0, ["us-east1"]))
        self.assertIn(f"ok           {what}: the limit is 16", self.look(life))
        limits(({"region": "us-east5", "tpu_family": "CT5P"}, 16, ["us-east5"]), ({"tpu_family": "CT6E"}, 4, ["us-east1", "us-east5"]))
        self.found(life, f"missing      {what}: the limit is 4")
        limits(({"tpu_family": "CT6E"}, 0, ["us-east5"]), ({"region": "us-east5", "tpu_family": "CT6E"}, -1, ["us-east5"]))
        self.assertIn(f"ok           {what}: the limit is -1", self.look(life))
        limits(({"region": "us-east5", "tpu_family": "CT6E"}, None, ["us-east5"]))
        self.found(life, f"cannot tell  {what}: no limit is shown for us-east5")

    @of_whole
    def test_quota_of_fallbacks(self):
        """Each quota once, and one that only a fallback needs is no fault."""
        life = self.of_spec("type: v6e, topology: 2x2", "model: flex-start, fallback: [spot, on-demand], zones: [us-east5-b]")
        first = "Quota of 4 chips, Preemptible TPU slices v6e in us-east5"
        last = "Quota of 4 chips, TPUs per TPU family, tpu_family: CT6E in us-east5, for fallback on-demand"
        for limits, wanted in (((4, 4), []), ((4, 3), [f"warning      {last}: the limit is 3"]),
                               ((0, 0), [f"missing      {first}: the limit is 0", f"warning      {last}: the limit is 0"])):
            life.fake.quota_infos.clear()
            life.fake.add_quota_info("PREEMPTIBLE-TPU-V6E-per-project-region", [({}, limits[0], ["us-east5"])], "my-project")
            life.fake.add_quota_info("TPUS-PER-TPU-FAMILY-per-project-region", [({"tpu_family": "CT6E"}, limits[1], ["us-east5"])], "my-project")
            self.found(life, *wanted)

    @of_whole
    def test_quota_of_a_fallback_that_the_region_lists(self):
        life = self.of_spec("type: v5e, topology: 2x2", "model: spot, fallback: [on-demand], zones: [us-west4-a]", location="us-west4")
        life.fake.add_quota("PREEMPTIBLE_TPU_LITE_PODSLICE_V5", "us-west4", 4, 0, "my-project")
        life.fake.add_quota("TPU_LITE_PODSLICE_V5", "us-west4", 8, 8, "my-project")
        self.found(life, "warning      Quota of 4 chips, TPU_LITE_PODSLICE_V5 in us-west4, for fallback on-demand: the limit is 8, and 8 are in use")

    @of_whole
    def test_quota_without_a_known_name(self):
        life = self.of_spec("type: tpu7x, topology: 2x2x1", "zones: [us-central1-c]", location="us-central1")
        self.found(life, "cannot tell  Access: Google's allowlist for tpu7x with flex-start, through the account team; no command shows it",
                   "cannot tell  Quota of 4 chips, the preemptible quota of tpu7x in us-central1: no source says how the API names it")

    @of_whole
    def test_reservation(self):
        folder = compile_example("reservation", self.folder())
        life = self.life(EXAMPLES["reservation"], folder)
        what = "Reservation v5p-2026 with 16 free chips"
        machine = "ct5p-hightpu-4t"
        life.fake.add_reservation("v5p-2026", "us-east5-a", "my-project", specificReservation={"count": "99"})
        life.fake.add_reservation("v5p-2026", "us-east5-b", "capacity-project", specificReservation={"count": "99"})
        self.found(life, f"missing      {what}: does not exist")
        there = life.fake.add_reservation("v5p-2026", "us-east5-a", "capacity-project", specificReservation={
            "count": "8", "inUseCount": "4", "instanceProperties": {"machineType": machine}})
        self.assertIn(f"ok           {what}: 16 free", self.look(life))
        there["specificReservation"]["inUseCount"] = "5"
        self.found(life, f"missing      {what}: 12 free (nodes that this workload has already are in use)")
        own = life.fake.add_node_pool("reserved-pool", "my-cluster", "us-east5-a", "my-project")
        self.found(life, f"cannot tell  {what}: 12 free, and perhaps others are in use by reserved-pool")
        del life.fake.node_pools[own["selfLink"].partition("/v1/")[2]]
        there["specificReservation"]["instanceProperties"]["machineType"] = "ct6e-standard-4t"
        self.found(life, f"missing      {what}: it is for ct6e-standard-4t")
        del there["specificReservation"]
        there["aggregateReservation"] = {"reservedResources": [{"accelerator": {"acceleratorCount": 12}}, {"accelerator": {"acceleratorCount": 8}}],
                                         "inUseResources": [{"accelerator": {"acceleratorCount": 4}}]}
        self.assertIn(f"ok           {what}: 16 free", self.look(life))
        life.fake.fail_next("GET", "/aggregated/reservations$", 403, "no permission for this", times=9)
        self.found(life, f"cannot tell  {what}: ")


class Clusters(PreflightCase):
    """Clusters that do not exist yet, and controllers of several branches."""

    @of_whole
    def test_cluster_that_is_created(self):
        life = self.of_spec(tpu="type: v6e, topology: 4x4, slices: 2", cluster=", create: true}\nnamespace: n  # ", new_cluster={"nodePools": []})
        life.fake.add_quota_info("PREEMPTIBLE-TPU-V6E-per-project-region", [({}, 1536, ["us-east5"])], "my-project")
        quotas = ["ok           Quota of 32 chips, Preemptible TPU slices v6e in us-east5: the limit is 1536",
                  "ok           Quota of 800 GB for disks, HDB_TOTAL_GB in us-east5: 40960 less 0 in use"]
        later = [f"not yet      {what}" for what in (
            "GKE 1.33.0-gke.1712000 for flex-start for v6e", "GKE 1.31.2-gke.1115000 for v6e on Standard",
            "GKE 1.27.4-gke.900 for Multislice on Standard", "JobSet with the API jobset.x-k8s.io/v1alpha2", "JobSet 0.9.0 or later for groupName of a replicated Job", "Namespace n")]
        self.assertEqual(self.look(life), ["ok           API container.googleapis.com", "ok           Cluster c in us-east5: not yet; provision.sh creates it", *quotas, *later])
        life.fake.services.clear()
        self.assertEqual(self.look(life), ["ok           API container.googleapis.com: not yet; provision.sh enables it",
                                           "not yet      Cluster c in us-east5", *quotas, *later])
        life.fake.services[f"projects/my-project/services/{API}"] = "ENABLED"
        life.fake.add_cluster("c", "us-east5", "my-project")
        self.found(life, "cannot tell  JobSet 0.9.0 or later for groupName of a replicated Job: ", "missing      Namespace n: ")

    @of_whole
    def test_cluster_of_the_context(self):
        folder = compile_example("autopilot-single-host", self.folder())
        life = self.life(EXAMPLES["autopilot-single-host"], folder)
        life.sandbox.use_context("mine", cluster={"server": life.kubernetes.url, "certificate-authority-data": life.kubernetes.certificate})
        lines = self.look(life)
        self.assertEqual(lines[0], "ok           Cluster of kubectl's context: GKE 1.34.1-gke.2000000")
        self.assertEqual({line[:2] for line in lines}, {"ok"})

    @of_whole
    def test_branches_of_a_controller(self):
        spec = SPEC.format(cluster="", tpu="type: v6e, topology: 4x4, slices: 2", provisioning="model: spot, zones: [us-east5-b], queue: team")
        folder = compile_spec(spec, self.folder())
        what = "Kueue 0.16.6,0.17.1,0.18.0 or later for several slices on node pools that exist"
        for tag, good in (("v0.16.5", False), ("v0.16.6", True), ("v0.17.0", False), ("v1.0.0", True)):
            with self.subTest(tag):
                life = self.life(Meant("us-east5", [], "x=t", cluster="c", project="my-project"), folder)
                controller(life, "kueue", tag)
                version = tag[1:]
                self.assertIn(f"ok           {what}: {version}" if good else f"missing      {what}: it has {version}", self.look(life))


class Controllers(PreflightCase):
    """What runs LeaderWorkerSets and Ray clusters, and the nodes for their pods without chips."""

    @of_whole
    def test_leader_worker_set(self):
        life = self.life(EXAMPLES["serve-with-router"], compile_example("serve-with-router", self.folder()))
        life.fake.add_reservation("serving", "us-central1-c", specificReservation={
            "count": "4", "instanceProperties": {"machineType": "tpu7x-standard-4t"}})
        what = "LeaderWorkerSet with the API leaderworkerset.x-k8s.io/v1"
        nodes = "cannot tell  Ordinary nodes: 1 pod without chips, each with 4 CPUs and 16Gi of memory, on nodes of another pool"
        lines = self.look(life)
        self.assertIn(f"ok           {what}", lines)
        self.assertEqual([line for line in lines if not line.startswith("ok ")], [nodes])
        life.kubernetes.kinds["leaderworkerset.x-k8s.io/v1"].clear()
        self.found(life, f"missing      {what}: it has no LeaderWorkerSet; https://lws.sigs.k8s.io", nodes)
        life.kubernetes.kinds.pop("leaderworkerset.x-k8s.io/v1")
        self.found(life, f"missing      {what}: not installed, or with other versions of its API", nodes)
        life.kubernetes.refuse("GET", "^/apis/leaderworkerset", 403, "no permission for this")
        self.found(life, f"cannot tell  {what}: ", nodes)

    @of_whole
    def test_autoscaler(self):
        life = self.life(EXAMPLES["autoscaling"], compile_example("autoscaling", self.folder()))
        life.kubernetes.add("Secret", "hugging-face", "default", data={"token": ""})
        metrics, monitoring = "Metrics adapter with the API custom.metrics.k8s.io", "Managed Service for Prometheus with the API monitoring.googleapis.com/v1"
        lines = self.look(life)
        self.assertIn(f"ok           {metrics}", lines)
        self.assertIn(f"ok           {monitoring}", lines)
        life.kubernetes.kinds.pop("custom.metrics.k8s.io/v1beta1")
        self.assertIn(f"missing      {metrics}: not installed, or with other versions of its API", self.look(life))
        life.kubernetes.kinds.pop("monitoring.googleapis.com/v1")
        self.assertIn(f"missing      {monitoring}: not installed, or with other versions of its API", self.look(life))

    def test_class_for_several_nodes(self):
        """The claim that volumes.yaml makes is ReadWriteMany, which disks are not."""
        life = self.of_spec(workload="volumes: [{name: d, mountPath: /d, pvc: {name: data, class: fast, size: 1Ti}}], ")
        what = "StorageClass fast for pods on 4 nodes"
        for provisioner, line in (("filestore.csi.storage.gke.io", f"ok           {what}"),
                                  ("pd.csi.storage.gke.io", f"missing      {what}: its provisioner is pd.csi.storage.gke.io, whose disks one node can mount; Filestore or a bucket is needed")):
            life.kubernetes.add("StorageClass", "fast", provisioner=provisioner)
            self.assertIn(line, self.look(life))

    @of_whole
    def test_release_channel(self):
        """Dynamic slicing is for clusters in one of them."""
        life = self.life(EXAMPLES["dynamic-slices"], compile_example("dynamic-slices", self.folder()))
        what = "Release channel of cluster my-cluster"
        for channel, line in (("REGULAR", f"missing      {what}: releaseChannel.channel is 'REGULAR' and should be 'RAPID'"), ("RAPID", f"ok           {what}")):
            life.fake.clusters[life.meant.cluster_path[4:]]["releaseChannel"] = {"channel": channel}
            self.assertIn(line, self.look(life))

    @of_whole
    def test_gateway(self):
        life = self.life(EXAMPLES["shared-gateway"], compile_example("shared-gateway", self.folder()))
        life.kubernetes.add("Secret", "hugging-face", "default", data={"token": ""})
        gateway, picker = "Gateway inference-gateway", "Endpoint picker small-chat-epp"
        router = ("cannot tell  Body-based router of Gateway inference-gateway: it sets X-Gateway-Model-Name to the model of each request; "
                  "no command shows it")
        missing = [line for line in self.look(life) if line.startswith("missing ")]
        self.assertEqual([line.partition(":")[0] for line in missing], [f"missing      {gateway}", f"missing      {picker}"])
        life.kubernetes.add("Gateway", "inference-gateway", "default")
        life.kubernetes.add("Service", "small-chat-epp", "default")
        lines = self.look(life)
        self.assertEqual([f"ok           {gateway}", f"ok           {picker}", router], [line for line in lines if "ateway inference" in line or picker in line])
        pool = "InferencePool with the API inference.networking.k8s.io/v1"
        life.kubernetes.kinds["inference.networking.k8s.io/v1"].clear()
        site = "https://gateway-api-inference-extension.sigs.k8s.io"
        self.assertIn(f"missing      {pool}: it has no InferencePool; {site}", self.look(life))

    @of_whole
    def test_proxies_of_a_gateway(self):
        """A Gateway of a regional class has its addresses in a subnet that no cluster makes."""
        life = self.life(EXAMPLES["gateway"], compile_example("gateway", self.folder()))
        what = "Proxy-only subnet in us-east5 for Gateway routed"
        life.fake.proxy_networks.clear()
        self.assertTrue(any(line.startswith(f"missing      {what}: gcloud compute networks subnets create ") for line in self.look(life)))
        life.fake.proxy_networks["us-east5"] = ["default", "other"]
        self.assertIn(f"ok           {what}: of network default, other", self.look(life))

    @of_whole
    def test_leaders_with_chips_need_no_ordinary_nodes(self):
        life = self.life(EXAMPLES["serve-multi-host"], compile_example("serve-multi-host", self.folder()))
        life.fake.add_reservation("serving", "us-east5-b", specificReservation={
            "count": "8", "instanceProperties": {"machineType": "ct6e-standard-4t"}})
        life.kubernetes.add("Secret", "hugging-face", "default", data={"token": ""})
        self.assertEqual({line[:3] for line in self.look(life)}, {"ok "})

    def test_checkpoints(self):
        """The driver is an add-on, and its bucket is one with folders."""
        life = self.life(EXAMPLES["checkpoints"], compile_example("checkpoints", self.folder()))
        cluster = life.fake.clusters[life.meant.cluster_path[4:]]
        cluster |= {"workloadIdentityConfig": {"workloadPool": "my-project.svc.id.goog"},
                    "addonsConfig": {"gcsFuseCsiDriverConfig": {"enabled": True}}}
        life.fake.buckets.add("my-checkpoints")
        driver, folders = "Multi-Tier Checkpointing with the API checkpointing.gke.io/v1", "Hierarchical namespace of bucket my-checkpoints"

        def of_checkpoints():
            return [line for line in self.look(life) if driver in line or folders in line]

        self.assertEqual(of_checkpoints(), [f"ok           {driver}",
                                            f"missing      {folders}: hierarchicalNamespace.enabled is 'False' and should be 'True'"])
        life.fake.hierarchical.add("my-checkpoints")
        self.assertEqual(of_checkpoints(), [f"ok           {driver}", f"ok           {folders}"])
        life.kubernetes.kinds["checkpointing.gke.io/v1"].clear()
        self.assertIn(f"missing      {driver}: it has no CheckpointConfiguration", of_checkpoints()[0])

    def test_checkpoints_of_a_cluster(self):
        """The cluster has a CheckpointConfiguration already."""
        life = self.of_spec(workload="kind: jobset, checkpoints: {}, ")
        what = "CheckpointConfiguration of the nodes"
        self.assertIn(f"missing      {what}: not installed", self.look(life))
        life.kubernetes.add("CheckpointConfiguration", "team")
        self.assertIn(f"ok           {what}", self.look(life))

    @of_whole
    def test_ray(self):
        life = self.life(EXAMPLES["ray-fine-tune"], compile_example("ray-fine-tune", self.folder()))
        cluster = life.fake.clusters[life.meant.cluster_path[4:]]
        cluster |= {"workloadIdentityConfig": {"workloadPool": "test-project.svc.id.goog"},
                    "addonsConfig": {"gcsFuseCsiDriverConfig": {"enabled": True}}}
        life.fake.add_quota_info("PREEMPTIBLE-TPU-V6E-per-project-region", [({}, 16, ["us-east5"])])
        life.fake.buckets.add("my-datasets")
        add = life.kubernetes.add
        add("Namespace", "research")
        add("ServiceAccount", "tuner", "research")
        add("MutatingWebhookConfiguration", "other-webhook")
        add("MutatingWebhookConfiguration", "kuberay-tpu-webhook-cfg")
        nodes = "cannot tell  Ordinary nodes: 1 pod without chips, each with 4 CPUs and 16Gi of memory, on nodes of another pool; " \
                "and one that submits the job, with 500m CPU and 200Mi"
        ray, webhook = "KubeRay with the API ray.io/v1", "TPU webhook of KubeRay"
        lines = self.look(life)
        self.assertEqual([line for line in lines if not line.startswith("ok ")], [nodes])
        # It comes with the add-on or without it, and never by itself with KubeRay.
        self.assertEqual(lines[-6:-3], [f"ok           {ray}", f"ok           {webhook}", nodes])
        del life.kubernetes.objects[None, "MutatingWebhookConfiguration", "kuberay-tpu-webhook-cfg"]
        self.found(life, f"missing      {webhook}: not installed", nodes)
        del life.kubernetes.objects[None, "MutatingWebhookConfiguration", "other-webhook"]
        self.found(life, f"missing      {webhook}: not installed", nodes)
        # A KubeRay of which only another kind is there does not run this workload.
        life.kubernetes.kinds["ray.io/v1"].remove(("RayJob", "rayjobs", True))
        self.found(life, f"missing      {ray}: it has no RayJob; https://docs.ray.io/en/latest/cluster/kubernetes",
                   f"missing      {webhook}: not installed", nodes)
        life.kubernetes.kinds.pop("ray.io/v1")
        life.kubernetes.refuse("GET", "/mutatingwebhookconfigurations", 403, "no permission for this")
        self.found(life, f"missing      {ray}: not installed, or with other versions of its API",
                   f"cannot tell  {webhook}: ", nodes)

    @of_whole
    def test_created_cluster_has_them(self):
        """What comes with the add-on and with the first pool is not asked for: the webhook, and nodes with room for the head."""
        life = self.life(EXAMPLES["ray-serve"], compile_example("ray-serve", self.folder()))
        self.found(life, "cannot tell  Access: ", "cannot tell  Quota of 8 chips, ",
                   "not yet      GKE 1.34.0-gke.2201000 for tpu7x on Standard", "not yet      GKE 1.34.0-gke.2201000 for flex-start",
                   "not yet      KubeRay with the API ray.io/v1", "not yet      Secret hugging-face with token")


class Queues(PreflightCase):
    """Whether the flavors of a LocalQueue have the topology that the pods request, or none where they request none."""

    NODES = {"cloud.google.com/gke-tpu-accelerator": "tpu-v6e-slice", "cloud.google.com/gke-tpu-topology": "4x4"}
    OWN = [{"key": "flexslice/flavor", "value": "v6e-4x4-spot", "effect": "NoSchedule"}]

    def of_queue(self, queue):
        life = self.of_spec(provisioning=f"create: false, model: spot, nodePool: team, queue: {queue}")
        life.fake.add_node_pool("team", "c", "us-east5", "my-project", config={"machineType": "ct6e-standard-4t", "spot": True},
                                initialNodeCount=4, placementPolicy={"tpuTopology": "4x4"})
        controller(life, "kueue", "v0.19.2")
        return life

    def add(self, life, *flavors):
        """A queue with flavors (name, resource, spec)."""
        life.kubernetes.add("LocalQueue", "team-a", "default", spec={"clusterQueue": "cluster-queue"})
        life.kubernetes.add("ClusterQueue", "cluster-queue", spec={"resourceGroups": [
            {"flavors": [{"name": name, "resources": [{"name": resource, "nominalQuota": "16"}]}]} for name, resource, _ in flavors]})
        for name, _, spec in flavors:
            life.kubernetes.add("ResourceFlavor", name, spec=spec)

    @of_whole
    def test_topology_that_flavors_lack(self):
        life = self.of_queue("team-a")
        what = "LocalQueue team-a with a topology in its flavors"
        self.assertIn(f"ok           {what}: not yet; queues.yaml makes it", self.look(life))
        # Flavors of other nodes and of other resources do not count.
        topology = {"topologyName": "tpu-slices"}
        self.add(life, ("v5e", "google.com/tpu", {"nodeLabels": self.NODES | {"cloud.google.com/gke-tpu-accelerator": "tpu-v5-lite-podslice"}} | topology),
                 ("small", "google.com/tpu", {"nodeLabels": self.NODES | {"cloud.google.com/gke-tpu-topology": "2x2"}} | topology),
                 ("cpu", "cpu", topology), ("2xv6e-4x4", "google.com/tpu", {"nodeLabels": self.NODES}))
        self.found(life, f"missing      {what}: there is none in 2xv6e-4x4, so Kueue never admits the workload: "
                         "write 'queue: {name: team-a, topology: none}'")
        self.add(life, ("v6e", "google.com/tpu", topology))
        self.assertIn(f"ok           {what}: v6e", self.look(life))
        # That of specs compiled earlier, without the flavor of this one.
        self.add(life, ("v6e-2x2-spot", "google.com/tpu", {"nodeLabels": self.NODES | {"cloud.google.com/gke-tpu-topology": "2x2"}, "nodeTaints": self.OWN}))
        self.assertIn(f"ok           {what}: not yet; queues.yaml adds the flavor", self.look(life))
        self.add(life, ("cpu", "cpu", {}))
        self.found(life, f"missing      {what}: ClusterQueue cluster-queue has no flavor with google.com/tpu for tpu-v6e-slice 4x4")

    @of_whole
    def test_topology_that_nobody_requests(self):
        life = self.of_queue("{name: team-a, topology: none}")
        what = "LocalQueue team-a without a topology in its flavors"
        self.found(life, f"missing      {what}: Error from server (NotFound)")
        self.add(life, ("2xv6e-4x4", "google.com/tpu", {"nodeLabels": self.NODES}), ("sliced", "google.com/tpu", {"topologyName": "tpu-slices"}))
        self.assertIn(f"ok           {what}: 2xv6e-4x4", self.look(life))
        self.add(life, ("sliced", "google.com/tpu", {"topologyName": "tpu-slices"}))
        self.found(life, f"missing      {what}: there is one in sliced: write 'queue: team-a', without 'topology: none'")
        self.add(life, ("v6e-4x4-spot", "google.com/tpu", {"nodeLabels": self.NODES, "nodeTaints": self.OWN}))
        self.found(life, f"missing      {what}: only pods compiled with 'queue: team-a' tolerate the taints of v6e-4x4-spot")
        life.kubernetes.refuse("GET", "/clusterqueues/", 403, "clusterqueues is forbidden")
        self.found(life, f"cannot tell  {what}: ")


class Priorities(PreflightCase):
    """A WorkloadPriorityClass that queues.yaml does not make."""

    @of_whole
    def test_class_of_others(self):
        life = self.of_spec("type: v6e, topology: 2x2", "zones: [us-east5-b], model: on-demand, queue: team-a, priority: urgent")
        controller(life, "kueue", "v0.19.2")
        life.fake.add_quota_info("TPUS-PER-TPU-FAMILY-per-project-region", [({"region": "us-east5", "tpu_family": "CT6E"}, 8, ["us-east5"])], "my-project")
        wanted = "WorkloadPriorityClass urgent"
        lines = self.look(life)
        self.assertEqual([line for line in lines if wanted in line][0].partition(": ")[0], f"missing      {wanted}")
        life.kubernetes.add("WorkloadPriorityClass", "urgent", value=1000)
        self.assertIn(f"ok           {wanted}", self.look(life))

    @of_whole
    def test_own_class(self):
        life = self.of_spec("type: v6e, topology: 2x2", "zones: [us-east5-b], model: on-demand, queue: team-a, priority: {name: urgent, value: 7}")
        self.assertFalse([line for line in self.look(life) if "WorkloadPriorityClass urgent" in line])


class ExistingPools(PreflightCase):
    """`provisioning.create: false`."""

    @of_whole
    def test_named(self):
        life = self.life(EXAMPLES["team-queue"], compile_example("team-queue", self.folder()))
        controller(life, "kueue", "v0.19.2")
        life.kubernetes.add("Namespace", "team-a")
        self.assertIn("ok           Node pool team-a", self.look(life))
        key = f"{life.meant.cluster_path[4:]}/nodePools/team-a"
        pool = life.fake.node_pools.pop(key)
        self.found(life, "missing      Node pool team-a: (gcloud.container.node-pools.describe) ResponseError: code=404")
        life.fake.node_pools[key] = pool
        pool["config"] = {"machineType": "ct5lp-hightpu-8t"}
        self.found(life, "missing      Node pool team-a: config.spot is '' and should be 'True', "
                         "config.machineType is 'ct5lp-hightpu-8t' and should be 'ct5lp-hightpu-4t'")

    @of_whole
    def test_unnamed(self):
        life = self.of_spec("type: v6e, topology: 4x4, slices: 2", "create: false")
        what = "Node pools that fit, at least 2"
        controller(life, "jobset", "v0.9.0")
        fits = {"config": {"machineType": "ct6e-standard-4t", "flexStart": True}, "autoscaling": {"maxNodeCount": 4},
                "placementPolicy": {"tpuTopology": "4x4"}}
        life.fake.add_node_pool("one", "c", "us-east5", "my-project", **fits)
        for i, other in enumerate(({"config": {"machineType": "ct6e-standard-4t"}}, {"autoscaling": {"maxNodeCount": 8}},
                                   {"placementPolicy": {"tpuTopology": "4x8"}}, {"placementPolicy": {}})):
            life.fake.add_node_pool(f"other-{i}", "c", "us-east5", "my-project", **fits | other)
        self.found(life, f"missing      {what}: found 'one'")
        done = life.run("provision")
        self.assertEqual((done.returncode, life.sent()), (1, []))
        self.assertIn("    WRONG: it is 'one', and there should be at least 2\n", done.stderr)
        self.assertIn("The node pools are not this workload's own. Name others, or change the spec.\n", done.stderr)
        life.fake.add_node_pool("two", "c", "us-east5", "my-project", **fits)
        self.assertIn(f"ok           {what}: one two", self.look(life))
        for script in ("provision", "verify"):
            self.assertIn("    ok: one two\n", self.ok(life, script).stdout)
            self.assertEqual(life.sent(), [])
        there = life.state()
        self.ok(life, "cleanup")
        self.assertEqual((life.state(), life.deleted()), (there, []))

    @of_whole
    def test_pools_of_another_model_do_not_fit(self):
        """An on-demand workload does not run on nodes that are reclaimed, that end, or that somebody reserved."""
        fits = {"machineType": "ct6e-standard-4t"}
        on_demand, spot, flex, reserved = ({}, {"spot": True}, {"flexStart": True},
                                           {"reservationAffinity": {"consumeReservationType": "SPECIFIC_RESERVATION", "values": ["r"]}})
        pools = {"on-demand": on_demand | {"spot": False}, "spot": spot, "flex-start": flex, "reservation": reserved}
        for model in pools:
            with self.subTest(model):
                life = self.of_spec("type: v6e, topology: 4x4", f"create: false, model: {model}{', reservation: r' if model == 'reservation' else ''}")
                for name, config in pools.items():
                    life.fake.add_node_pool(name, "c", "us-east5", "my-project", config=fits | config, autoscaling={"maxNodeCount": 4},
                                            placementPolicy={"tpuTopology": "4x4"})
                self.assertIn(f"ok           Node pools that fit, at least 1: {model}", self.look(life))
                self.assertIn(f"    ok: {model}\n", self.ok(life, "verify").stdout)

    @of_whole
    def test_autoscaled_pools_of_models_that_need_no_autoscaling(self):
        """A pool of a slice has its nodes by its topology; autoscaled to fewer, it never has them."""
        for provisioning in ("create: false, model: spot, nodePool: p", "create: false, model: spot"):
            with self.subTest(provisioning=provisioning):
                life = self.of_spec("type: v6e, topology: 4x4", provisioning)
                fits = {"config": {"machineType": "ct6e-standard-4t", "spot": True}, "placementPolicy": {"tpuTopology": "4x4"}}
                for most, good in ((4, True), (2, False), (None, True)):
                    scaling = {"enabled": True, "maxNodeCount": most} if most else {}
                    life.fake.node_pools.pop(f"{life.meant.cluster_path[4:]}/nodePools/p", None)
                    life.fake.add_node_pool("p", "c", "us-east5", "my-project", autoscaling=scaling, initialNodeCount=0, **fits)
                    self.assertEqual(life.run("provision").returncode, 0 if good else 1, (most, provisioning))
                    missing = any(line.startswith("missing      Node pool") for line in self.look(life))
                    self.assertEqual(missing, not good, (most, provisioning))

    @of_whole
    def test_pools_that_failed_do_not_fit(self):
        life = self.of_spec("type: v6e, topology: 4x4", "create: false, model: spot")
        fits = {"config": {"machineType": "ct6e-standard-4t", "spot": True}, "placementPolicy": {"tpuTopology": "4x4"}}
        life.fake.add_node_pool("failed", "c", "us-east5", "my-project", status="ERROR", **fits)
        self.found(life, "missing      Node pools that fit, at least 1: found ''")
        life.fake.add_node_pool("good", "c", "us-east5", "my-project", status="RECONCILING", **fits)
        self.assertIn("ok           Node pools that fit, at least 1: good", self.look(life))

    @of_whole
    def test_single_host_pools_have_no_topology(self):
        life = self.of_spec("type: v6e, topology: 2x2", "create: false, model: on-demand")
        config = {"config": {"machineType": "ct6e-standard-4t"}}
        for name, topology in (("multi", "4x4"), ("old", "2x2"), ("plain", None)):
            life.fake.add_node_pool(name, "c", "us-east5", "my-project", placementPolicy={"tpuTopology": topology} if topology else {}, **config)
        self.assertIn("ok           Node pools that fit, at least 1: old plain", self.look(life))


if __name__ == "__main__":
    unittest.main()
