"""Line coverage of src: builds the preset `coverage`, runs the tests on it, and prints each folder's share and the total.

    python3 tests/coverage.py [--least PERCENT] [--build DIR] [--label REGEX] [--missed] [--brief]

Fails where a test fails or where the total is under the least that is allowed.
"""
import argparse
import collections
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent


def run_tests(directory, label):
    jobs = str(os.cpu_count())
    subprocess.run(["cmake", "--preset", "coverage", "-B", directory], cwd=SOURCE, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", directory, "--parallel", jobs], check=True, stdout=subprocess.DEVNULL)
    for counts in directory.rglob("*.gcda"):
        counts.unlink()
    subprocess.run([directory / "flexslice", "--version"], check=True, stdout=subprocess.DEVNULL)
    for counts in directory.rglob("*.gcda"):
        counts.chmod(0o666)  # tests run the program as other users too
    only = ["--label-regex", label] if label else []
    return subprocess.run(["ctest", "--test-dir", directory, "--output-on-failure", "--parallel", jobs, *only],
                          check=False, stdout=sys.stderr).returncode == 0


def lines(directory):
    """{file of src: {line: whether it ran}}, over all programs that have it."""
    ran = collections.defaultdict(dict)
    notes = sorted(str(path) for path in directory.rglob("*.gcno"))
    with tempfile.TemporaryDirectory() as work:
        subprocess.run(["gcov", "--json-format", "--hash-filenames", *notes], cwd=work, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for report in pathlib.Path(work).iterdir():
            for file in json.loads(gzip.decompress(report.read_bytes()))["files"]:
                path = (directory / file["file"]).resolve()
                if path.is_relative_to(SOURCE / "src"):
                    seen = ran[str(path.relative_to(SOURCE))]
                    for line in file["lines"]:
                        seen[line["line_number"]] = seen.get(line["line_number"], False) or line["count"] > 0
    return ran


def share(*files):
    each = [ran for file in files for ran in file.values()]
    return 100 * sum(each) / len(each)


def print_folders(ran):
    folders = collections.defaultdict(list)
    for file, seen in ran.items():
        folders[pathlib.PurePath(file).parent].append(seen)
    for folder in sorted(folders):
        print(f"{share(*folders[folder]):6.1f} %  {folder}")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--least", type=float, default=90, help="percent of lines")
    options.add_argument("--build", type=pathlib.Path, default=SOURCE / "build/coverage")
    options.add_argument("--label", help="only tests whose label matches")
    options.add_argument("--missed", action="store_true", help="list the lines that did not run")
    options.add_argument("--brief", action="store_true", help="only the total")
    chosen = options.parse_args()
    directory = chosen.build.resolve()
    passed = run_tests(directory, chosen.label)
    ran = lines(directory)
    if chosen.missed:
        for file in sorted(ran):
            print(*(f"{file}:{line}" for line, each in sorted(ran[file].items()) if not each), sep="\n")
    if not chosen.brief:
        print_folders(ran)
    total = share(*ran.values())
    print(f"coverage of src: {total:.1f} % of lines")
    return 0 if passed and total >= chosen.least else 1


if __name__ == "__main__":
    sys.exit(main())
