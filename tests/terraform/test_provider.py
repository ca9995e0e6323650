"""Terraform itself, with the provider hashicorp/google, makes of every example the pools that gcloud makes.

FLEXSLICE_TERRAFORM is a folder with `terraform` or `tofu` (else that of PATH) and `mirror`, a filesystem mirror of providers with
hashicorp/google.
"""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import test_terraform as terraform
from fake_google import FakeGoogle
from test_terraform import EXAMPLES, of_gcloud

FOLDER = os.environ.get("FLEXSLICE_TERRAFORM")
# What the provider sends besides: the logging that it has as a default.
OF_PROVIDER = {"loggingConfig"}


class Terraform:
    """A folder with one document and a provider block, against a fake Google."""

    def __init__(self, folder, fake, document):
        self.folder, self.fake = pathlib.Path(folder), fake
        (self.folder / "pools.tf.json").write_text(json.dumps(document))
        (self.folder / "provider.tf.json").write_text(json.dumps({"provider": {"google": {
            "access_token": "none", "project": "test-project", "user_project_override": False, "add_terraform_attribution_label": False}}}))
        (self.folder / "cli.tfrc").write_text(f'provider_installation {{\n  filesystem_mirror {{\n    path = "{FOLDER}/mirror"\n  }}\n}}\n')
        endpoints = {"CONTAINER": "/v1/", "COMPUTE": "/compute/v1/", "SERVICE_USAGE": "/v1/", "CLOUD_RESOURCE_MANAGER": "/v1/", "RESOURCE_MANAGER": "/v1/"}
        self.env = {"PATH": os.environ["PATH"], "HOME": str(folder), "TF_CLI_CONFIG_FILE": str(self.folder / "cli.tfrc"), "CHECKPOINT_DISABLE": "1",
                    "TF_IN_AUTOMATION": "1", "http_proxy": fake.url, "https_proxy": fake.url, "HTTPS_PROXY": fake.url, "no_proxy": "127.0.0.1",
                    "NO_PROXY": "127.0.0.1"} | {f"GOOGLE_{name}_CUSTOM_ENDPOINT": fake.url + path for name, path in endpoints.items()}
        found = [shutil.which(name, path=f"{FOLDER}:{os.environ['PATH']}") for name in ("terraform", "tofu")]
        self.program = next(filter(None, found))

    def run(self, *words):
        return subprocess.run([self.program, *words, "-no-color"], cwd=self.folder, env=self.env, capture_output=True, text=True, check=False, timeout=600)


def said(value):
    """Without what the API takes for unset: false, zero and nothing, which one client sends and the other leaves out."""
    if not isinstance(value, dict):
        return value
    return {key: inner for key, each in value.items() if (inner := said(each)) not in ({}, [], 0, "") and key not in OF_PROVIDER}


def of_provider(pool):
    """A node pool that the provider sent, without what it adds by itself."""
    return said(pool | {"locations": sorted(pool["locations"])})


@unittest.skipUnless(FOLDER, "no Terraform provider (set FLEXSLICE_TERRAFORM)")
class Provider(unittest.TestCase):
    maxDiff = None

    def fine(self, terraform_, *words, status=0):
        done = terraform_.run(*words)
        self.assertEqual(status, done.returncode, f"{words}: {done.stdout}{done.stderr}\n{terraform_.fake.unknown}")
        return done.stdout

    def test_every_example(self):
        """validate, apply, a plan that is empty, destroy; and what reached the API is what gcloud sends."""
        seen = 0
        for name, meant in EXAMPLES.items():
            document = terraform.documents()[name][0]
            if document is None:
                continue
            with self.subTest(example=name), FakeGoogle() as fake, tempfile.TemporaryDirectory() as folder:
                if not meant.new_cluster:
                    fake.add_cluster(meant.cluster, meant.location, meant.project)
                words = [f"-var=project={meant.project}"] if "variable" in document else []
                run = Terraform(folder, fake, document)
                self.fine(run, "init", "-input=false")
                self.fine(run, "validate")
                self.fine(run, "apply", "-auto-approve", "-input=false", *words)
                self.assertEqual([said(of_gcloud(pool)) for pool in meant.pools], sorted((of_provider(each["nodePool"]) for each in fake.sent("POST", "/nodePools$")),
                                                                                 key=lambda pool: [each["name"] for each in meant.pools].index(pool["name"])))
                policies = [{key: each[key] for key in ("name", "workloadPolicy")} for each in fake.sent("POST", "/resourcePolicies$")]
                self.assertEqual([{key: each[key] for key in ("name", "workloadPolicy")} for each in meant.policies], policies)
                self.assertEqual(1 if meant.new_cluster else 0, len(fake.sent("POST", "/clusters$")))
                self.fine(run, "plan", "-detailed-exitcode", "-input=false", *words)
                self.fine(run, "destroy", "-auto-approve", "-input=false", *words)
                self.assertEqual(({}, {}), (fake.node_pools, fake.policies))
                self.assertEqual([], fake.unknown)
                seen += 1
        self.assertGreater(seen, 12)


if __name__ == "__main__":
    unittest.main()
