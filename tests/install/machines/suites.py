"""Runs the golden, cli, lint and server suites with another program in place of the native one: the same bytes are expected.

usage: suites.py MACHINE [SUITE…]    MACHINE is a key of exceptions.yaml, SUITE such as golden/test_examples
"""
import os
import pathlib
import shutil
import stat
import sys
import tempfile
import unittest

import yaml

TESTS = pathlib.Path(__file__).resolve().parents[2]
ROOT = TESTS.parent
CLI = sorted(str(path.relative_to(TESTS)).removesuffix(".py") for path in (TESTS / "cli").rglob("test_*.py"))
SUITES = ["golden/test_examples", "golden/test_slices", *CLI, "mcp/test_mcp", "editor/test_lsp"]
PROGRAMS = {"wasm": ROOT / "build/web/program/flexslice.js", "arm64": ROOT / "build/arm64/flexslice"}
EXCEPTIONS = yaml.safe_load((pathlib.Path(__file__).parent / "exceptions.yaml").read_text())
QEMU = "#!/bin/sh\nexec {qemu} {program} \"$@\"\n"


def found(machine):
    """The program that was built for the machine."""
    return pathlib.Path(os.environ.get(f"FLEXSLICE_{machine.upper()}", PROGRAMS[machine])).resolve()


def program(machine, folder):
    """The replacement for the native program. Its name is `flexslice` because make and pre-commit find it in the PATH."""
    wrapper = pathlib.Path(folder) / "flexslice"
    if machine != "arm64":
        wrapper.symlink_to(found(machine))
        return wrapper
    # Some tests run without a PATH.
    wrapper.write_text(QEMU.format(qemu=shutil.which("qemu-aarch64"), program=found(machine)))
    wrapper.chmod(wrapper.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    return wrapper


def tests_of(suite):
    for each in suite:
        if isinstance(each, unittest.TestSuite):
            yield from tests_of(each)
        else:
            yield each


def run(machine, suite):
    """Whether the suite passes, without the tests that are listed for the machine."""
    folder, _, module = suite.rpartition("/")
    sys.path.insert(0, str(TESTS / folder))
    os.chdir(TESTS / folder)
    tests = list(tests_of(unittest.defaultTestLoader.loadTestsFromName(module)))
    left_out = {name.removeprefix(f"{folder}/"): reason for reason, names in EXCEPTIONS[machine].items() for name in names if name.startswith(f"{suite}.")}
    unknown = set(left_out) - {test.id() for test in tests}
    if unknown:
        sys.exit(f"exceptions.yaml names tests of {suite} that do not exist: {', '.join(sorted(unknown))}")
    for test in tests:
        if test.id() in left_out:
            setattr(test, test._testMethodName, unittest.skip(left_out[test.id()])(getattr(test, test._testMethodName)))  # pylint: disable=protected-access
    return unittest.TextTestRunner(verbosity=2).run(unittest.TestSuite(tests)).wasSuccessful()


def check_exceptions(machine):
    """A name of another suite would leave out nothing."""
    unknown = [name for names in EXCEPTIONS[machine].values() for name in names if name.partition(".")[0] not in SUITES]
    if unknown:
        sys.exit(f"exceptions.yaml names suites that do not exist: {', '.join(unknown)}")


def main():
    machine, suites = sys.argv[1], sys.argv[2:] or SUITES
    check_exceptions(machine)
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        os.environ.update(FLEXSLICE=str(program(machine, folder)), FLEXSLICE_SOURCE=str(ROOT))
        failed = []
        for suite in suites:
            print(f"==> {suite}", file=sys.stderr, flush=True)
            # Suites have modules of the same names.
            child = os.fork()
            if child == 0:
                os._exit(0 if run(machine, suite) else 1)
            if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0:
                failed.append(suite)
    if failed:
        sys.exit(f"failed with the program of {machine}: {', '.join(failed)}")


if __name__ == "__main__":
    main()
