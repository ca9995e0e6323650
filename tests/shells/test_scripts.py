"""lint says that a number of nodes is wrong exactly where bash, run for real, passes a wrong one on."""
import shutil
import unittest

import bench
import scripts


@unittest.skipUnless(shutil.which("bash"), "bash is missing")
class Scripts(unittest.TestCase):
    def test_what_bash_passes_on(self):
        tally = bench.Tally()
        with bench.Sandbox() as sandbox:
            run = {}
            for seed in range(bench.FIRST, bench.FIRST + bench.COUNT):
                script = scripts.Script(seed)
                folder = sandbox.case(seed, {**script.files, "run.sh": script.text()})
                run[folder / "run.sh"] = (seed, bench.is_wrong(sandbox.run(folder, ["bash", "./run.sh"]), script.hosts))
            found = bench.lint(run, sandbox.folder)
            for path, (seed, is_wrong) in run.items():
                tally.add(seed, is_wrong, "FS4001" in found.get(str(path), []))
        print(tally)
        self.assertEqual([], tally.false)
        self.assertLessEqual(len(tally.missed), max(1, 0.05 * tally.wrong))


if __name__ == "__main__":
    unittest.main()
