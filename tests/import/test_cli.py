"""The command line of import: files, streams, exit statuses."""
import pathlib
import re
import resource
import tempfile
import unittest

import importing
from importing import FINDINGS, FINE, IO, USAGE

EXPECTED = importing.ROOT / "examples/multi-host/expected"
CORPUS = pathlib.Path(__file__).resolve().parent / "corpus"
FILES = (EXPECTED / "manifests.yaml", EXPECTED / "provision.sh")


class Cli(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.folder = pathlib.Path(self.directory.name)

    def run_import(self, *arguments, stdin=b""):
        return importing.run("import", *arguments, cwd=self.folder, stdin=stdin)

    def test_the_spec_is_on_stdout_alone(self):
        done = self.run_import(*FILES)
        self.assertEqual((FINE, b""), (done.returncode, done.stderr))
        self.assertTrue(done.stdout.startswith(b"apiVersion: flexslice/v1\nname: job-1\n"))

    def test_the_order_of_files_does_not_matter(self):
        self.assertEqual(self.run_import(*FILES).stdout, self.run_import(*reversed(FILES)).stdout)

    def test_the_number_of_threads_does_not_matter(self):
        files = sorted((importing.ROOT / "tests/golden/examples").glob("*/*.*"))
        one, many = (self.run_import(f"--jobs={jobs}", *files) for jobs in (1, 8))
        self.assertGreater(one.stdout.count(b"\n---\n"), 15)
        self.assertEqual((one.returncode, one.stdout, one.stderr), (many.returncode, many.stdout, many.stderr))

    def test_stdin(self):
        done = self.run_import("-", FILES[1], stdin=FILES[0].read_bytes())
        self.assertEqual(self.run_import(*FILES).stdout, done.stdout)

    def test_output_is_not_replaced(self):
        spec = self.folder / "spec.yaml"
        self.assertEqual(FINE, self.run_import(*FILES, "-o", spec).returncode)
        self.assertEqual(self.run_import(*FILES).stdout, spec.read_bytes())
        spec.write_text("mine\n")
        done = self.run_import(*FILES, "-o", spec)
        self.assertEqual(IO, done.returncode)
        self.assertIn(b"--force", done.stderr)
        self.assertEqual("mine\n", spec.read_text())
        self.assertEqual(FINE, self.run_import(*FILES, "-o", spec, "--force").returncode)
        self.assertNotEqual("mine\n", spec.read_text())

    def test_an_input_is_never_replaced(self):
        own = self.folder / "own.yaml"
        own.write_bytes(FILES[0].read_bytes())
        self.assertEqual(IO, self.run_import(own, FILES[1], "-o", own, "--force").returncode)
        self.assertEqual(FILES[0].read_bytes(), own.read_bytes())

    def test_check_says_whether_it_is_equal(self):
        done = self.run_import("--check", *FILES)
        self.assertEqual((FINE, b""), (done.returncode, done.stdout))
        # What compile adds is no difference that matters.
        done = self.run_import("--check", importing.ROOT / "tests/ui/import/FS5108-nulls.yaml")
        self.assertEqual(FINE, done.returncode, done.stdout)
        self.assertIn(b"FS5108", done.stdout)
        done = self.run_import("--check", CORPUS / "ray.yaml")
        self.assertEqual(FINDINGS, done.returncode)
        self.assertIn(b"FS5108", done.stdout)
        self.assertRegex(done.stderr, rb"^Compared with the input: \d+ not kept, \d+ changed, \d+ added by compile\.\n"
                                      rb"The specs do not keep all of the input\.\n$")

    def test_the_end_counts_what_differs_in_text_alone(self):
        lines = self.run_import(CORPUS / "ray.yaml").stderr.decode().splitlines()
        self.assertRegex(lines[-1], "^Compared with the input: ")
        added = sum("FS5108" in line for line in lines)
        self.assertIn(f" {added} added by compile.", lines[-1])
        self.assertNotIn(b"Compared", self.run_import("--format", "json", CORPUS / "ray.yaml").stderr)

    def test_notes_come_first(self):
        done = self.run_import("--format", "short", *sorted(CORPUS.glob("*.yaml")))
        levels = [b"note[" in line for line in done.stderr.splitlines()]
        self.assertEqual(sorted(levels, reverse=True), levels)
        self.assertEqual({True, False}, set(levels))

    def test_usage(self):
        for arguments in ((), ("--check", "-o", "x", *FILES), ("--no-such-option", *FILES)):
            self.assertEqual(USAGE, self.run_import(*arguments).returncode, arguments)

    def test_files_that_cannot_be_read(self):
        self.assertEqual(IO, self.run_import("missing.yaml").returncode)

    def test_nothing_to_import(self):
        done = self.run_import("-", stdin=b"hello: world\n")
        self.assertEqual((FINDINGS, b""), (done.returncode, done.stdout))
        self.assertIn(b"FS5101", done.stderr)

    def test_yaml_that_cannot_be_read(self):
        done = self.run_import("-", stdin=b"kind: Job\n  google.com/tpu: [4\n")
        self.assertEqual(FINDINGS, done.returncode)
        self.assertIn(b"FS1001", done.stderr)

    def test_several_workloads_are_several_documents(self):
        other = self.folder / "other.yaml"
        other.write_bytes((CORPUS / "ray.yaml").read_bytes())
        done = self.run_import(*FILES, other)
        self.assertEqual([b"job-1", b"rollout"], [line[6:] for line in done.stdout.splitlines() if line.startswith(b"name: ")])
        self.assertEqual(1, done.stdout.count(b"\n---\n"))

    def test_a_pool_of_two_workloads_is_created_once(self):
        job = ("apiVersion: batch/v1\nkind: Job\nmetadata: {name: NAME}\nspec:\n  template:\n    spec:\n      restartPolicy: Never\n"
               "      nodeSelector:\n        cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice\n"
               "        cloud.google.com/gke-tpu-topology: 2x2\n        cloud.google.com/gke-nodepool: shared\n      containers:\n"
               "        - {name: NAME, image: run, resources: {requests: {google.com/tpu: 4}, limits: {google.com/tpu: 4}}}\n---\n")
        pool = ("gcloud container node-pools create shared --cluster=research --location=us-east5 --node-locations=us-east5-b "
                "--machine-type=ct6e-standard-4t --num-nodes=1\n")
        (self.folder / "pool.sh").write_text(pool)
        done = self.run_import("-", "pool.sh", stdin=(job.replace("NAME", "one") + job.replace("NAME", "two")).encode())
        one, two = done.stdout.decode().split("---\n")
        self.assertIn("\n  nodePool: shared\nworkload:", one)
        self.assertIn("\n  nodePool: shared\n  create: false\n", two)

    def test_a_dump_of_the_cluster_is_clean(self):
        done = self.run_import(CORPUS / "dump.yaml")
        self.assertEqual(FINE, done.returncode, done.stderr)
        for word in (b"uid", b"imagePullPolicy", b"patches", b"terminationMessage"):
            self.assertNotIn(word, done.stdout)

    def test_many_that_are_refused(self):
        """A list, or a patch, of which the compiler refuses much is left out as a whole, and the other patches stay."""
        volumes = "".join(f"        - {{name: v{i}, downwardAPI: {{items: [{{path: a, fieldRef: {{fieldPath: status.podIP}}}}]}}}}\n" for i in range(60))
        annotations = "".join(f"    a/b/c{i}: x\n" for i in range(60))
        for metadata, more in (("", "      volumes:\n" + volumes), ("  annotations:\n" + annotations, "")):
            (self.folder / "many.yaml").write_text(f"""\
apiVersion: batch/v1
kind: Job
metadata:
  name: many
{metadata}spec:
  template:
    spec:
      restartPolicy: Never
      nodeSelector: {{cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: 2x2}}
      containers:
        - {{name: many, image: run, command: [run], workingDir: /app, resources: {{limits: {{google.com/tpu: 4}}}}}}
{more}""")
            done = self.run_import("many.yaml")
            spec = done.stdout.partition(b"apiVersion: flexslice")[2]
            self.assertIn(b"workingDir: /app", spec)
            self.assertNotIn(b"downwardAPI", spec)
            self.assertNotIn(b"a/b/c", spec)
            self.assertEqual(1, done.stderr.count(b"FS5106"), done.stderr)

    def test_what_the_input_excludes_is_removed(self):
        name = "exclusive.yaml"
        (self.folder / name).write_text("""\
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat}
spec:
  replicas: 2
  strategy: {type: Recreate}
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec:
      nodeSelector:
        cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
        cloud.google.com/gke-tpu-topology: 2x2
      containers:
        - name: chat
          image: vllm/vllm-tpu:v0.11.0
          resources: {requests: {google.com/tpu: 4}, limits: {google.com/tpu: 4}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: chat}
spec: {minAvailable: 1, selector: {matchLabels: {app: chat}}}
""")
        done = self.run_import(name)
        self.assertEqual(FINE, done.returncode, done.stderr)
        self.assertEqual([b"progressDeadlineSeconds"], re.findall(rb"compile adds `spec.(\w+)", done.stderr))
        self.assertIn(b"minAvailable: 1\n", done.stdout)
        self.assertIn(b"maxUnavailable: null\n", done.stdout)
        self.assertIn(b"rollingUpdate: null\n", done.stdout)

    def test_variables_of_a_page_are_followed(self):
        done = self.run_import(CORPUS / "page.md")
        self.assertIn(b"- us-east5-b\n", done.stdout)
        self.assertIn(b"image: <your-image>  # TODO: fill in the placeholder `<your-image>`\n", done.stdout)
        self.assertIn(b"`--disk-type=pd-balanced`", done.stderr)

    def test_many_variables(self):
        """The time grows as the square of their number, not as its cube."""
        job = (EXPECTED / "manifests.yaml").read_text().split("---\n")[-1]
        command = "          command:\n"
        self.assertIn(command, job)
        taken = []
        for count in (400, 1600):
            env = "          env:\n" + "".join(f"            - {{name: V{i}, value: x}}\n" for i in range(count))
            (self.folder / "job.yaml").write_text(job.replace(command, env + command))
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            done = self.run_import("job.yaml")
            taken.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
            self.assertIn(f"V{count - 1}: x".encode(), done.stdout)
        self.assertLess(taken[1], 32 * max(taken[0], 0.02), taken)

    def test_placeholders_of_documentation_stay(self):
        words = [("us-east5-b", "NODE_ZONES"), ("us-east5", "CONTROL_PLANE_LOCATION"), ("my-cluster", "CLUSTER_NAME"),
                 ("us-docker.pkg.dev/cloud-tpu-images", "us-docker.pkg.dev/PROJECT_ID")]
        spec = self.run_import(*FILES).stdout.decode()
        copies = []
        for file in FILES:
            copies.append(self.folder / file.name)
            text = file.read_text()
            for value, word in words:
                text = text.replace(value, word)
            copies[-1].write_text(text)
        done = self.run_import(*copies)
        for value, word in words:
            self.assertIn(value, spec)
            spec = spec.replace(value, word)
        marked = re.sub(r"(?m)^ *# TODO: .*\n|  # TODO: .*$", "", done.stdout.decode())
        self.assertEqual((FINE, b"", spec), (done.returncode, done.stderr, marked))
        self.assertEqual(4, done.stdout.count(b"  # TODO: "), done.stdout)

    def test_a_script_in_another_encoding(self):
        (self.folder / "run.sh").write_bytes("xpk workload create --workload=w --tpu-type=v6e-16 --command='echo größer'\n".encode("latin-1"))
        done = self.run_import("run.sh")
        self.assertIn("error[FS1006]: byte 0xF6 is not valid UTF-8", done.stderr.decode(errors="replace"))
        self.assertEqual((FINDINGS, b""), (done.returncode, done.stdout))


if __name__ == "__main__":
    unittest.main()
