"""Breaks a copy of the source in one place after the other and shows which test notices.

    python3 tests/mutation/run.py [--build DIR] [WORD...]

With words, only mutations whose description has one of them. Fails where nothing notices, or where a text is no longer found.
"""
import argparse
import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

import mutations

LABELS = ["ui", "golden", "unit", "manifests", "schema", "property", "doors", "import", "terraform", "cli"]  # quick ones first
JOBS = str(os.cpu_count())


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False)


def killer(build):
    """What fails: `the build`, or a test's name; nothing when all pass."""
    if run("cmake", "--build", build, "--parallel", JOBS).returncode != 0:
        return "the build"
    for label in LABELS:
        done = run("ctest", "--test-dir", build, "--build-config", "full", "--parallel", JOBS, "--stop-on-failure", "--label-regex", f"^{label}$")
        if done.returncode != 0:
            return " ".join(re.findall(r"^\s+\d+ - (\S+) \((?!Skipped)", done.stdout, re.M)) or label
    return None


@contextlib.contextmanager
def broken(tree, mutation):
    path = tree / mutation.file
    whole = path.read_text()
    path.write_text(whole.replace(mutation.old, mutation.new))
    try:
        yield
    finally:
        path.write_text(whole)


def prepare(directory):
    """A copy of the tree and its build, in which all tests pass."""
    tree, build = directory / "tree", directory / "build"
    for old in (tree, build):
        shutil.rmtree(old, ignore_errors=True)
    shutil.copytree(mutations.SOURCE, tree, ignore=shutil.ignore_patterns("build", ".git"))
    subprocess.run(["cmake", "-S", tree, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0"],
                   check=True, stdout=subprocess.DEVNULL)
    if found := killer(build):
        sys.exit(f"without any mutation, this fails: {found}")
    return tree, build


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", type=pathlib.Path, default=mutations.SOURCE / "build/mutation")
    options.add_argument("words", nargs="*", metavar="WORD")
    chosen = options.parse_args()
    wanted = [each for each in mutations.MUTATIONS if not chosen.words or any(word in each.breaks for word in chosen.words)]
    if lost := [each.breaks for each in wanted if mutations.occurrences(each) != 1]:
        sys.exit(f"not found just once: {', '.join(lost)}")
    tree, build = prepare(chosen.build.resolve())
    survived = 0
    for mutation in wanted:
        with broken(tree, mutation):
            found = killer(build)
        survived += found is None
        print(f"{mutation.breaks:52} {'SURVIVED' if found is None else 'killed by ' + found}", flush=True)
    print(f"{len(wanted) - survived} of {len(wanted)} mutations killed")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
