#!/usr/bin/python3
"""Tests check_manifests.py: good manifests pass; each mutation of them (bad_manifests) fails at the right place.

The same manifests go through a second, foreign checker where one is at hand, and both must judge alike: the program
that the environment variable FLEXSLICE_VALIDATE_OFFLINE names, else shared/tools/validate-manifests/validate-offline
beside the repository. It takes files, and prints `FILE:LINE: ...` for each error. Without it the comparison is skipped.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import check_manifests
import schema_check
from bad_manifests import MAIN, MUTATIONS, VARIANTS, mutated
from good_manifests import GOOD, MULTI_HOST, SINGLE_HOST

HERE = pathlib.Path(__file__).resolve().parent

# What the foreign checker lets pass. It reads y as a string, which kubectl does not (see test_yaml_readers); it has
# fewer of the server's rules; it looks at each object alone.
ONLY_OURS = {
    "bare y in a selector", "bare chip count",
    "no image", "two sources of one volume", "value and valueFrom", "variable given twice",
    "subdomain with a dot", "requests above limits", "policy needs never", "policy for no container",
    "mount without volume", "port name too long", "port name given twice", "port given twice", "port out of range",
    "toleration of a value that exists", "probe of a plain initContainer", "service with a cluster IP",
    "jobset names too long", "success of no job", "flavour without the covered resource",
    "topology without node labels", "namespace of a cluster's object",
    "same object twice", "queue of nothing", "flavour that is not there",
    "a name without room for start and index", "service of no start",
    "no service", "service in another namespace", "service of another job",
    "hosts without a subdomain", "hosts without indexes", "no accelerator", "no topology", "topology that is none",
    "parallelism is not completions", "half of the hosts", "half of the hosts in a jobset",
    "bucket without the annotation",
    "service that is not headless and has no ports", "service of no pods", "service of workers that have no number 0",
    "service of a job that is not headless", "port that no container has", "budget of nothing", "budget of both",
    "budget for no pods", "config map that nobody mounts", "key with a slash", "queue of a deployment that is not there",
    "labels are not what is selected", "selects everything", "rollout of another type", "rollout that cannot move",
    "step that is no number", "deadline before the pods count as ready", "replica that ends", "replica of half a slice",
    "replica without a topology", "bucket of a replica without the annotation",
    "name of groups too long", "group of nobody", "groups that cannot move", "subgroups without a size",
    "subgroups that do not fit", "exclusive subgroups where there are none", "worker that ends", "group of too many",
    "leader without its chips", "leader of another slice", "groups that share slices",
    "workers on the pool of their leader", "routed groups that share slices", "leader in a subgroup",
    "half of the workers in a subgroup",
    "replicas above the most", "least above the most", "two worker groups of one name",
    "name of a ray cluster too long", "name of a ray job too long", "name of a ray service too long", "no entrypoint",
    "clean-up of a cluster that stays", "half of the hosts in a worker group", "head with chips",
    "affinity of a worker",
    "a name without room for the start", "a scheduled job that restarts", "a schedule of six fields",
}  # fmt: skip


def findings(text):
    """The findings against a text as (path, message) pairs, with paths as they are printed."""
    return [(check_manifests.show(path), message) for m in check_manifests.check(text) for path, message in m.findings]


class Check(unittest.TestCase):
    def test_accepts_good_manifests(self):
        for name, text in GOOD.items():
            with self.subTest(name):
                self.assertEqual(findings(text), [])

    def test_accepts_variants(self):
        for name, variant in VARIANTS.items():
            with self.subTest(name):
                self.assertEqual(findings(mutated(variant)), [])

    def test_refuses_each_mutation_at_its_place(self):
        for name, mutation in MUTATIONS.items():
            *_, path, message = mutation
            with self.subTest(name):
                found = findings(mutated(mutation))
                self.assertEqual([at for at, _ in found], [path], f"one mistake, one message: {found}")
                self.assertIn(message, found[0][1])

    def test_compute_class(self):
        """Only a class whose fields exist, with at least one priority."""
        text = (HERE.parent / "golden/examples/fallback/manifests.yaml").read_text()
        self.assertEqual([], findings(text))
        for wrong, path in ((text.replace("flexStart:", "flexstart:"), "spec.priorities[0].flexstart"), (text.replace("count: 4", "count: four", 1), "spec.priorities[0].tpu.count")):
            self.assertIn(path, [at for at, _ in findings(wrong)])

    def test_schemas_are_closed(self):
        """Every mapping in the schemas lists its fields and takes no others."""

        def visit(schema, where):
            if isinstance(schema, dict):
                if schema.get("type") == "object":
                    self.assertIn("additionalProperties", schema, where)
                    self.assertNotEqual(schema["additionalProperties"], True, where)
                for key, child in schema.items():
                    visit(child, f"{where}/{key}")
            if isinstance(schema, list):
                for i, child in enumerate(schema):
                    visit(child, f"{where}/{i}")

        files = schema_check.files()
        self.assertEqual(len(files), 34)
        for name, schema in files.items():
            visit(schema, name)


class Program(unittest.TestCase):
    def run_check(self, *arguments, stdin=""):
        program = HERE / "check_manifests.py"
        command = [sys.executable, program, *arguments]
        run = subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)
        return run.returncode, run.stdout, run.stderr

    def test_passes(self):
        self.assertEqual(self.run_check("-", stdin=MULTI_HOST), (0, "2 passed, 0 failed\n", ""))

    def test_fails_with_the_place(self):
        text = MULTI_HOST.replace('value: "1"', "value: 1")
        line = f"stdin:2 Job/job-1: {MAIN}.env[0].value: must be a string, is an integer 1: quote it\n"
        self.assertEqual(self.run_check("-", stdin=text), (1, line + "1 passed, 1 failed\n", ""))

    def test_counts_over_files_and_judges_each_file_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            names = [os.path.join(folder, name) for name in ("a.yaml", "b.yaml")]
            for name in names:
                pathlib.Path(name).write_text(SINGLE_HOST, encoding="utf-8")
            self.assertEqual(self.run_check(*names), (0, "2 passed, 0 failed\n", ""))

    def test_cannot_run(self):
        self.assertEqual(self.run_check()[0], 2)
        self.assertEqual(self.run_check("--what")[0], 2)
        self.assertEqual(self.run_check("no-such-file.yaml")[0], 2)
        self.assertEqual(self.run_check("-", stdin="# nothing\n---\n")[0], 2)


def foreign_checker():
    named = os.environ.get("FLEXSLICE_VALIDATE_OFFLINE")
    beside = HERE.parents[2] / "shared/tools/validate-manifests/validate-offline"
    return named or (str(beside) if beside.exists() else None)


@unittest.skipUnless(foreign_checker(), "no validate-offline (set FLEXSLICE_VALIDATE_OFFLINE)")
class ForeignJudgement(unittest.TestCase):
    def test_agrees(self):
        """All manifests go through the other checker in one run; it judges each file as we do."""
        texts = {**GOOD, **{name: mutated(case) for name, case in {**VARIANTS, **MUTATIONS}.items()}}
        with tempfile.TemporaryDirectory() as folder:
            for name, text in texts.items():
                pathlib.Path(folder, name).write_text(text, encoding="utf-8")
            program = os.path.abspath(foreign_checker())
            run = subprocess.run([program, *texts], cwd=folder, capture_output=True, text=True, check=False)
        if run.returncode == 2:
            self.skipTest(f"validate-offline cannot run: {run.stderr.strip()}")
        refused = set(re.findall(r"(?m)^([^:]+):[0-9]+: ", run.stdout))
        # It has no schema for PodMonitoring, nor for what is behind a Gateway.
        self.assertEqual(refused - {"scaled"}, MUTATIONS.keys() - ONLY_OURS)


if __name__ == "__main__":
    unittest.main()
