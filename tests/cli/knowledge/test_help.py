"""--help: one screen for each command, with an example that works."""
import shlex
import subprocess
import tempfile
import pathlib
import unittest

import knowledge
from knowledge import FLEXSLICE, commands, run


class Help(unittest.TestCase):
    def test_a_screen(self):
        self.assertGreaterEqual(len(commands()), 8)
        for command in ["", *commands()]:
            with self.subTest(command=command):
                status, out, err = run(*([command] if command else []), "--help")
                self.assertEqual((0, ""), (status, err))
                lines = out.splitlines()
                self.assertLessEqual(len(lines), 30)
                self.assertLessEqual(max(map(len, lines)), 80)
                self.assertEqual([], [line for line in lines if line != line.rstrip()])
                self.assertTrue(lines[0].startswith(f"usage: flexslice {command or 'COMMAND'}"), lines[0])
                self.assertRegex(lines[-1], f"^example: .*flexslice {command}")

    def test_check(self):
        out = run("check", "--help")[1]
        self.assertIn("\n  -h, --help ", out)
        self.assertIn("\n      --allow CODE ", out)
        self.assertIn("drop a warning, or lower an error to a warning\n", out)

    def test_examples_work(self):
        spec = (knowledge.ROOT / "examples/single-host/spec.yaml").read_text()
        for command in commands():
            example = run(command, "--help")[1].splitlines()[-1].removeprefix("example: ")
            with self.subTest(example=example), tempfile.TemporaryDirectory() as directory:
                folder = pathlib.Path(directory)
                if not example.endswith("-o train.yaml"):
                    (folder / "train.yaml").write_text(spec)
                (folder / "specs").mkdir()
                expected = knowledge.ROOT / "tests/golden/examples/single-host"
                for name, file in (("job.yaml", "manifests.yaml"), ("create-pool.sh", "provision.sh")):
                    (folder / name).write_bytes((expected / file).read_bytes())
                (folder / "specs/one.yaml").write_text(spec)
                (folder / "status.yaml").write_text(
                    "apiVersion: batch/v1\nkind: Job\nmetadata: {name: sleep-1}\n"
                    "spec: {template: {spec: {restartPolicy: Never, containers: [{name: sleep, image: 'busybox:1.36'}]}}}\nstatus: {conditions: [{type: Complete, status: 'True'}]}\n")
                (folder / "list.yaml").write_text("kind: ResourceList\nitems: []\n")
                # What it is piped into is somebody else's.
                line = f"flexslice() {{ {shlex.quote(FLEXSLICE)} \"$@\"; }}; {example.split('|')[0]}"
                done = subprocess.run(["bash", "-c", line], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
                self.assertEqual(0, done.returncode, done.stderr)

    def test_wrong_options(self):
        for arguments, message in [
            (["catalog", "--chip", "4"], "option `--chip` does not exist; did you mean `--chips`?"),
            (["catalog", "--chips"], "option `--chips` is missing an argument; see flexslice catalog --help"),
            (["explain", "--quux"], "option `--quux` does not exist; see flexslice explain --help"),
            (["cataloge"], "unknown command `cataloge`; did you mean `catalog`?"),
        ]:
            with self.subTest(arguments=arguments):
                self.assertEqual((2, "", f"flexslice: {message}\n"), run(*arguments))


if __name__ == "__main__":
    unittest.main()
