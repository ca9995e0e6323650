"""lint says that a number of nodes is wrong exactly where Terraform calculates a wrong one from a module."""
import json
import shutil
import subprocess
import unittest

import bench
import modules


def calculated(sandbox, folder, module):
    """The module without its resource, whose provider nobody has here."""
    copy = folder / "values"
    copy.mkdir()
    for name in module.files():
        if name != "main.tf":
            shutil.copy(folder / name, copy)
    done = subprocess.run([shutil.which("terraform"), "console"], input=module.question() + "\n", cwd=copy, env={**sandbox.environment(folder), "CHECKPOINT_DISABLE": "1"}, capture_output=True, text=True, timeout=60, check=True)
    shutil.rmtree(copy)
    return json.loads(json.loads(done.stdout))


@unittest.skipUnless(shutil.which("terraform"), "terraform is missing")
class Modules(unittest.TestCase):
    def test_what_terraform_calculates(self):
        tally = bench.Tally()
        with bench.Sandbox() as sandbox:
            for seed in range(bench.FIRST, bench.FIRST + bench.COUNT):
                module = modules.Module(seed)
                folder = sandbox.case(seed, module.files())
                is_wrong = any(nodes != modules.HOSTS[shape] for shape, nodes in calculated(sandbox, folder, module))
                found = bench.lint([folder], sandbox.folder)
                tally.add(seed, is_wrong, any("FS4001" in codes for codes in found.values()))
        print(tally)
        self.assertEqual([], tally.false)
        self.assertLessEqual(len(tally.missed), max(1, 0.05 * tally.wrong))


if __name__ == "__main__":
    unittest.main()
