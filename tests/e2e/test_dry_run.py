"""--dry-run prints what the scripts would run, runs nothing, and prints it so that bash reads the same words back.

All programs are recording stand-ins here, so this needs no gcloud.
"""

import tempfile
import unittest
from pathlib import Path

import life
from artifacts import compile_example
from expectations import EXAMPLES, SAMPLE
from sandbox import Sandbox, sample

SCRIPTS = ("provision", "verify", "cleanup")


def is_question(call):
    """Whether a call only asks what exists; dry runs leave these out, and print what may come after them."""
    return life.is_question(call.argv) if call.name == "kubectl" else "list" in call.argv


def reads_context(call):
    """Whether a call only reads a file of the user's: dry runs need the namespace."""
    return (call.name, call.argv[:2]) == ("kubectl", ["config", "view"])


class DryRun(unittest.TestCase):
    """Every script of every example."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        directory = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.folders = {name: compile_example(name, directory / name) for name in sample(EXAMPLES, SAMPLE)}

    def setUp(self):
        self.sandbox = self.enterContext(Sandbox())

    def for_each(self, check):
        """Calls check(script path, what is meant) for every script, each with a clean record and in its own subtest."""
        for name, folder in self.folders.items():
            for script in SCRIPTS:
                with self.subTest(example=name, script=script):
                    self.sandbox.forget_calls()
                    check(folder / f"{script}.sh", EXAMPLES[name])

    def real_run(self, script, meant):
        """The calls of a run in which there is nothing yet, or for verify and cleanup, everything."""
        with Sandbox() as sandbox:
            if script.stem == "cleanup":
                for name in [meant.cluster, *(each["name"] for each in meant.pools + meant.policies)]:
                    sandbox.answer("gcloud", f"*list*name~^{name}$*", stdout=f"{name}\tRUNNING\t{meant.workload}\n")
            done = sandbox.run_script(script)
            compares = {"verify": meant.pools + meant.existing, "provision": meant.existing}
            wrong = compares.get(script.stem)  # the stand-in describes nothing
            self.assertEqual(done.returncode, 1 if wrong else 0, done.stderr)
            return [(call.name, call.argv) for call in sandbox.calls() if not is_question(call)]

    def test_runs_nothing(self):
        self.for_each(self.check_runs_nothing)

    def check_runs_nothing(self, script, _):
        done = self.sandbox.run_script(script, "--dry-run")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([call for call in self.sandbox.calls() if not reads_context(call)], [])
        self.assertEqual(list((self.sandbox.root / "tmp").iterdir()), [])

    def test_prints_the_commands_of_the_real_run(self):
        self.for_each(self.check_prints_the_commands)

    def check_prints_the_commands(self, script, meant):
        printed = self.sandbox.run_script(script, "--dry-run").stdout
        self.sandbox.forget_calls()
        pasted = self.sandbox.root / "pasted.sh"
        pasted.write_text(printed, encoding="utf-8")
        self.assertEqual(self.sandbox.run_script(pasted).returncode, 0)
        printed_calls = self.sandbox.calls()
        calls = [(call.name, call.argv) for call in printed_calls if not is_question(call)]
        self.assertEqual(calls, self.real_run(script, meant))
        self.assertEqual(bool(printed_calls), script.stem != "provision" or bool(meant.creations() + meant.existing))

    def test_wrong_arguments(self):
        self.for_each(self.check_wrong_arguments)

    def check_wrong_arguments(self, script, _):
        forces = script.stem == "cleanup" and "unused" in script.read_text(encoding="utf-8")
        deletes_volumes = "--delete-volumes" in script.read_text(encoding="utf-8")
        plain = "--namespace NS" not in script.read_text(encoding="utf-8")
        options = "[--dry-run]" if plain else f"[--dry-run]{' [--force]' if forces else ''}{' [--delete-volumes]' if deletes_volumes else ''} [--namespace NS]"
        usage = f"usage: bash {script.name} {options}\n"
        for arguments in (["--dryrun"], [""], ["--dry-run", "--forced"], ["-n"], ["--namespace"], ["--namespace="],
                          ["--namespace", ""], ["--namespace", "--dry-run"], ["--namespace=--dry-run"]):
            done = self.sandbox.run_script(script, *arguments)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", usage), arguments)
        self.assertEqual(self.sandbox.calls(), [])

    def test_missing_program(self):
        # bash's own message and status, and ours behind it.
        script = self.folders["new-cluster"] / "provision.sh"
        (self.sandbox.root / "bin" / "gcloud").unlink()
        self.sandbox.env["PATH"] = str(self.sandbox.root / "bin")
        done = self.sandbox.run_script(script)
        self.assertEqual(done.returncode, 127)
        self.assertIn("gcloud: command not found", done.stderr)
        self.assertIn("stopped at: Enable the Kubernetes Engine API.", done.stderr)


if __name__ == "__main__":
    unittest.main()
