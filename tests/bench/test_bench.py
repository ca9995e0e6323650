"""What of the goals can be kept by a test, because it does not depend on what else the machine does: instructions and memory."""
import os
import pathlib
import tempfile
import unittest

from bench import ONE_SPEC_PASSES, SMALL_SPEC, SMALL_SPEC_INSTRUCTIONS, STREAM_PASSES
from measuring import Build, NotHere, SPEC, event_passes, good_turns, instructions, write_objects, write_stream, write_tree
from peers import manifests

BUILD = Build(pathlib.Path(os.environ["FLEXSLICE_BUILD"]))
# Measured: 2,900 to 3,700. How much of a program the kernel maps around the pages that it reads differs by some 100 from one machine, and one
# copy of the file, to another, and grows as the program changes; `tools/link/write_order.py` takes that back.
ONE_SPEC_KIB = 4 * 1024
STREAM_KIB = 12 * 1024
LINT_KIB = 16 * 1024
MOST_FOR_TWICE_THE_OBJECTS = 2.02
# What is kept of each spec, to find another one that defines the same, between two streams that are far enough
# apart for the 250 KiB by which one run of the same command differs from the next.
GROWTH_BYTES = 250


@unittest.skipUnless(BUILD.is_release(), "only the static release build is measured")
class Instructions(unittest.TestCase):
    def measured(self, measure):
        try:
            return measure()
        except NotHere as missing:
            if os.environ.get("CI"):
                raise
            self.skipTest(str(missing))

    def check(self, source, recorded):
        passes = self.measured(lambda: event_passes(BUILD, source))
        print(f"{passes:.3f} event passes, {recorded} recorded")
        self.assertLessEqual(passes, recorded * 1.1)

    def test_one_spec(self):
        self.check(SPEC, ONE_SPEC_PASSES)

    def test_small_spec(self):
        count = self.measured(lambda: instructions([BUILD.flexslice, "compile", SMALL_SPEC]))
        print(f"{count} instructions")
        self.assertLessEqual(count, SMALL_SPEC_INSTRUCTIONS)

    def test_lint_of_many_objects(self):
        with tempfile.TemporaryDirectory() as directory:
            few, many = (self.measured(lambda: instructions([BUILD.flexslice, "lint", write_objects(
                pathlib.Path(directory, "objects.yaml"), manifests(BUILD), count)])) for count in (150, 300))
        print(f"{many / few:.3f} times the instructions for twice the objects")
        self.assertLessEqual(many / few, MOST_FOR_TWICE_THE_OBJECTS)

    def test_lint_of_many_findings(self):
        """Files may be answered by others of their folder, which is read once."""
        wrong = manifests(BUILD).replace("completions: ", "completions: 1")
        with tempfile.TemporaryDirectory() as directory:
            counts = []
            for files in (30, 60):
                folder = pathlib.Path(directory, str(files))
                folder.mkdir()
                for number in range(files):
                    (folder / f"{number}.yaml").write_text(wrong)
                counts.append(self.measured(lambda: instructions([BUILD.flexslice, "lint", folder], status=1)))
        print(f"{counts[1] / counts[0]:.3f} times the instructions for twice the files with findings")
        self.assertLessEqual(counts[1] / counts[0], MOST_FOR_TWICE_THE_OBJECTS)

    def test_a_thousand_specs(self):
        with tempfile.TemporaryDirectory() as directory:
            self.check(write_stream(pathlib.Path(directory, "specs.yaml"), 1_000), STREAM_PASSES)


@unittest.skipUnless(BUILD.is_release(), "only the static release build is measured")
class Memory(unittest.TestCase):
    def peak(self, command):
        return good_turns(BUILD, 1, [command])[0].peak_kib

    def test_one_spec(self):
        peak = self.peak([BUILD.flexslice, "compile", SPEC])
        print(f"{peak} KiB")
        self.assertLessEqual(peak, ONE_SPEC_KIB, "python3 tools/link/write_order.py orders the program for less")

    def test_stream(self):
        with tempfile.TemporaryDirectory() as directory:
            streams = [write_stream(pathlib.Path(directory, str(count)), count) for count in (5_000, 20_000, 60_000)]
            few, goal, many = (self.peak([f"<{stream}", BUILD.flexslice, "compile", "-"]) for stream in streams)
        growth = (many - few) * 1024 / 55_000
        print(f"{few} KiB for 5,000 specs, {goal} KiB for 20,000, {many} KiB for 60,000: {growth:.0f} bytes a spec")
        self.assertLessEqual(goal, STREAM_KIB)
        self.assertLessEqual(growth, GROWTH_BYTES)

    def test_lint(self):
        with tempfile.TemporaryDirectory() as directory:
            tree = write_tree(pathlib.Path(directory, "tree"), 20_000, manifests(BUILD))
            peak = self.peak([BUILD.flexslice, "lint", tree])
        print(f"{peak} KiB for a tree of 20,000 files")
        self.assertLessEqual(peak, LINT_KIB)
