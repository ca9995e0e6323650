"""A cluster with nothing in it for one workload after another."""

import contextlib

import workloads
from control_plane import eventually
from gke import Gke


@contextlib.contextmanager
def stage(plane, made):
    """GKE for a workload: (gke, arguments of kubectl for its files). Whatever happens, the cluster is empty again after it."""
    arguments = [word for path in made.files() for word in ("-f", path)]
    with Gke(plane, made.spec["cluster"].get("mode") == "autopilot") as gke:
        workloads.prepare(plane, made)
        try:
            yield gke, arguments
            assert not gke.trouble, gke.trouble
        finally:
            plane.kubectl("delete", "--ignore-not-found", *arguments, check=False)
            eventually(lambda: not plane.list("pods", made.namespace), "pods are still there")
            gke.remove_pools()


def ordinary_node(name):
    """A node without chips, as any cluster has."""
    amounts = {"cpu": "16", "memory": "64Gi", "ephemeral-storage": "100Gi", "pods": "110"}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": {"cloud.google.com/gke-nodepool": "default-pool"}},
            "status": {"capacity": amounts, "allocatable": amounts, "conditions": [{"type": "Ready", "status": "True"}]}}
