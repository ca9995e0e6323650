"""lint says that a number of nodes is wrong exactly where make, run for real, passes a wrong one on."""
import shutil
import unittest

import bench
import makefiles


@unittest.skipUnless(shutil.which("make"), "make is missing")
class Makefiles(unittest.TestCase):
    def test_what_make_passes_on(self):
        tally = bench.Tally()
        with bench.Sandbox() as sandbox:
            run = {}
            for seed in range(bench.FIRST, bench.FIRST + bench.COUNT):
                makefile = makefiles.Makefile(seed)
                folder = sandbox.case(seed, {**makefile.files, "Makefile": makefile.text()})
                run[folder / "Makefile"] = (seed, bench.is_wrong(sandbox.run(folder, ["make", makefile.goal]), makefile.hosts))
            found = bench.lint(run, sandbox.folder)
            for path, (seed, is_wrong) in run.items():
                tally.add(seed, is_wrong, "FS4001" in found.get(str(path), []))
        print(tally)
        self.assertEqual([], tally.false)
        self.assertLessEqual(len(tally.missed), max(1, 0.05 * tally.wrong))


if __name__ == "__main__":
    unittest.main()
