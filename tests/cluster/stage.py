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
        ordinary = workloads.prepare(plane, made)
        try:
            yield gke, arguments
            assert not gke.trouble, gke.trouble
        finally:
            plane.kubectl("delete", "--ignore-not-found", *arguments, check=False)
            eventually(lambda: not plane.list("pods", made.namespace), "pods are still there")
            gke.remove_pools()
            for node in ordinary:
                plane.delete("nodes", None, node)
