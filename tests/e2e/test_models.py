"""Every provisioning model on the generations that have it: what provision.sh asks Google for.

The examples have one or two specs of each model; these rows go further.  The expected bodies follow from the facts
about TPUs and gcloud, not from what the program prints.
"""

import unittest

import artifacts
from expectations import Meant, addons, autopilot_cluster, flex, on_demand, policy, pool, queued, reserved, spot, standard_cluster
from life import Life, ScriptCase
from sandbox import sample

SPEC = """\
apiVersion: flexslice/v1
name: t
{top}
cluster: {{name: c, location: {location}{cluster}}}
tpu: {{{tpu}}}
provisioning: {{{provisioning}}}
workload: {{image: busybox{workload}}}
"""
V6E = "ct6e-standard-4t"


class Row:
    """A spec and what its provision.sh creates."""

    def __init__(self, tpu, provisioning, location, *pools, policies=(), cluster="", top="", workload="", **meant):
        self.spec = SPEC.format(tpu=tpu, provisioning=provisioning, location=location, cluster=cluster, top=top,
                                workload=workload)
        self.meant = Meant(location, ["job/t"], "", list(pools), list(policies), cluster="c", **meant)


def on_v6e(provisioning, *pools, topology="2x2", **more):
    """A row on v6e in us-east5-b."""
    return Row(f"type: v6e, topology: {topology}", f"{provisioning}, zones: [us-east5-b]", "us-east5", *pools, **more)


ROWS = {
    # on-demand: the number of nodes is always written
    "v3 on one host": Row("type: v3, topology: 2x2", "model: on-demand, zones: [us-central1-a]", "us-central1",
                          on_demand("t-pool", "us-central1-a", "ct3-hightpu-4t", 1)),
    "v3 slice": Row("type: v3, topology: 4x8", "model: on-demand, zones: [us-central1-a]", "us-central1",
                    on_demand("t-pool", "us-central1-a", "ct3p-hightpu-4t", 8, topology="4x8")),
    "v4 on one host": Row("type: v4, topology: 2x2x1", "model: on-demand, zones: [us-central2-b]", "us-central2",
                          on_demand("t-pool", "us-central2-b", "ct4p-hightpu-4t", 1)),
    "what is only passed on": Row(
        "type: v6e, topology: 4x4", "model: on-demand, zones: [us-east5-b], diskType: hyperdisk-balanced, maxPodsPerNode: 32, nodeServiceAccount: n@p.iam.gserviceaccount.com",
        "us-east5", on_demand("t-pool", "us-east5-b", "ct6e-standard-4t", 4, topology="4x4", maxPodsConstraint={"maxPodsPerNode": "32"},
                              config={"diskType": "hyperdisk-balanced", "serviceAccount": "n@p.iam.gserviceaccount.com"})),
    "v4 cube": Row("type: v4, topology: 4x4x4", "model: on-demand", "us-central2-b",
                   on_demand("t-pool", "us-central2-b", "ct4p-hightpu-4t", 16, topology="4x4x4")),
    "v5e, eight chips": Row("type: v5e, topology: 2x4, machineType: ct5lp-hightpu-8t",
                            "model: on-demand, zones: [us-west4-a]", "us-west4",
                            on_demand("t-pool", "us-west4-a", "ct5lp-hightpu-8t", 1)),
    "v5e, two hosts": Row("type: v5e, topology: 2x4, machineType: ct5lp-hightpu-4t",
                          "model: on-demand, zones: [us-west4-a]", "us-west4",
                          on_demand("t-pool", "us-west4-a", "ct5lp-hightpu-4t", 2, topology="2x4")),
    "v5p, a custom shape": Row("type: v5p, topology: 4x4x12", "model: on-demand, zones: [us-east5-a]", "us-east5",
                               on_demand("t-pool", "us-east5-a", "ct5p-hightpu-4t", 48, topology="4x4x12")),
    "v6e, the largest": on_v6e("model: on-demand", on_demand("t-pool", "us-east5-b", V6E, 64, topology="16x16"),
                               topology="16x16"),
    "several nodes in two zones": Row(
        "type: v6e, topology: 1x1", "model: on-demand, zones: [us-east5-b, us-east5-a], maxNodes: 3, nodePool: small",
        "us-east5", on_demand("small", "us-east5-a,us-east5-b", "ct6e-standard-1t", 3)),
    "tpu7x on one host": Row("type: tpu7x, topology: 2x2x1", "model: on-demand, zones: [us-central1-c]", "us-central1",
                             on_demand("t-pool", "us-central1-c", "tpu7x-standard-4t", 1)),

    "spot v4": Row("type: v4, topology: 2x2x2", "model: spot, zones: [us-central2-b]", "us-central2",
                   spot("t-pool", "us-central2-b", "ct4p-hightpu-4t", 2, topology="2x2x2")),
    "spot v6e": on_v6e("model: spot", spot("t-pool", "us-east5-b", V6E, 1)),
    "spot tpu7x": Row("type: tpu7x, topology: 2x2x4", "model: spot, zones: [us-central1-c]", "us-central1",
                      spot("t-pool", "us-central1-c", "tpu7x-standard-4t", 4, policy="t-c-policy"),
                      policies=[policy("t-c-policy", "us-central1", "2x2x4")]),

    # Nodes come with the pods and go after them, all of a slice together.
    "autoscaled spot slice": on_v6e("model: spot, autoscale: true", pool(
        "t-pool", "us-east5-b", V6E, topology="4x4", initialNodeCount=0, config={"spot": True},
        autoscaling={"enabled": True, "minNodeCount": 0, "maxNodeCount": 4}), topology="4x4"),
    "autoscaled on-demand hosts": on_v6e("model: on-demand, autoscale: true, maxNodes: 3", pool(
        "t-pool", "us-east5-b", V6E, initialNodeCount=0,
        autoscaling={"enabled": True, "minNodeCount": 0, "maxNodeCount": 3})),

    "reservation by name": on_v6e("model: reservation, reservation: r", reserved("t-pool", "us-east5-b", V6E, 1, "r")),
    "block of a reservation": on_v6e(
        "model: reservation, reservation: r/reservationBlocks/b",
        reserved("t-pool", "us-east5-b", V6E, 4, "r/reservationBlocks/b", topology="4x4"), topology="4x4"),
    "sub-block of a shared reservation": on_v6e(
        "model: reservation, reservation: projects/p/reservations/r/reservationBlocks/b/reservationSubBlocks/s",
        reserved("t-pool", "us-east5-b", V6E, 4,
                 "projects/p/reservations/r/reservationBlocks/b/reservationSubBlocks/s", topology="4x4"), topology="4x4"),
    "shared reservation of tpu7x": Row(
        "type: tpu7x, topology: 2x2x2", "model: reservation, reservation: projects/p/reservations/r", "us-central1-c",
        reserved("t-pool", "us-central1-c", "tpu7x-standard-4t", 2, "projects/p/reservations/r", policy="t-c-policy"),
        policies=[policy("t-c-policy", "us-central1", "2x2x2")]),

    # The pool takes no lifetime then; the request does.
    "queued on one host": on_v6e("model: flex-start-queued, queue: q, maxRunDuration: 1h",
                                 queued("t-pool", "us-east5-b", V6E, 1)),
    "queued tpu7x": Row("type: tpu7x, topology: 2x2x2", "model: flex-start-queued, queue: q", "us-central1-c",
                        queued("t-pool", "us-central1-c", "tpu7x-standard-4t", 2, policy="t-c-policy"),
                        policies=[policy("t-c-policy", "us-central1", "2x2x2")]),

    "flex-start on v5e, eight chips": Row(
        "type: v5e, topology: 2x4, machineType: ct5lp-hightpu-8t", "zones: [us-west4-a], maxNodes: 5", "us-west4",
        flex("t-pool", "us-west4-a", "ct5lp-hightpu-8t", 5)),
    "flex-start tpu7x on one host": Row("type: tpu7x, topology: 2x2x1", "zones: [us-central1-c]", "us-central1",
                                        flex("t-pool", "us-central1-c", "tpu7x-standard-4t", 1)),
    "slices of tpu7x share a policy": Row(
        "type: tpu7x, topology: 2x2x2, slices: 2", "zones: [us-central1-c], maxRunDuration: 7d, nodePool: np",
        "us-central1", *(flex(f"np-{i}", "us-central1-c", "tpu7x-standard-4t", 2, policy="np-c-policy",
                              config={"maxRunDuration": "604800s"}) for i in range(2)),
        policies=[policy("np-c-policy", "us-central1", "2x2x2")]),
    "labels and selectors reach the pool": on_v6e(
        "model: spot",
        spot("t-pool", "us-east5-b", V6E, 1) | {"config": {
            "machineType": V6E, "spot": True, "labels": {"example.com/pool": "a.b"},
            "resourceLabels": {"team": "a_b", "tier": ""}}},
        top="labels: {team: a_b, tier: \"\", example.com/x: A}\nnamespace: n",
        workload=", nodeSelector: {example.com/pool: a.b}", namespace="n"),

    "new cluster in a zone": Row(
        "type: v6e, topology: 2x2", "model: spot", "us-east5-b", spot("t-pool", "us-east5-b", V6E, 1),
        cluster=", create: true", new_cluster=standard_cluster("c")),
    "new cluster with the Gateway API": Row(
        "type: v6e, topology: 2x2", "model: spot", "us-east5-b", spot("t-pool", "us-east5-b", V6E, 1), cluster=", create: true",
        workload=", kind: deployment, ports: [8000], gateway: {model: m, class: gke-l7-rilb}",
        new_cluster=standard_cluster("c", networkConfig={"gatewayApiConfig": {"channel": "CHANNEL_STANDARD"}})),
    "new cluster with checkpoints": Row(
        "type: v6e, topology: 2x2", "model: spot, zones: [us-east5-b]", "us-east5", spot("t-pool", "us-east5-b", V6E, 1),
        cluster=", create: true, project: p-1", project="p-1", workload=", checkpoints: {bucket: my-checkpoints, memory: 200Gi}",
        new_cluster=standard_cluster("c", **addons(gcsFuseCsiDriverConfig={"enabled": True}, highScaleCheckpointingConfig={"enabled": True}),
                                     workloadIdentityConfig={"workloadPool": "p-1.svc.id.goog"})),
    "new cluster of a version, in a project": Row(
        "type: v6e, topology: 2x2", "zones: [us-east5-b]", "us-east5", flex("t-pool", "us-east5-b", V6E, 1),
        cluster=", create: true, version: 1.33.2, project: p-1", project="p-1",
        new_cluster=standard_cluster("c", initialClusterVersion="1.33.2")),
    "new Autopilot cluster": Row(
        "type: v6e, topology: 2x2", "model: flex-start", "us-east5",
        cluster=", mode: autopilot, create: true, version: 1.34.1-gke.3084001, project: p-1", project="p-1",
        new_cluster=autopilot_cluster("c", initialClusterVersion="1.34.1-gke.3084001")),
    "Autopilot": Row("type: v6e, topology: 4x4", "model: spot", "us-east5", cluster=", mode: autopilot"),
}


class Models(ScriptCase):
    """One provision.sh a row."""

    def test_requests(self):
        self.all_at_once(self.provision, sample(ROWS, 8))

    def provision(self, title):
        row = ROWS[title]
        directory = self.directory / str(list(ROWS).index(title))
        directory.mkdir()
        with Life(row.meant, artifacts.compile_spec(row.spec, directory)) as life:
            self.ok(life, "provision")
            self.assertEqual(life.sent(), row.meant.creations())


if __name__ == "__main__":
    unittest.main()
