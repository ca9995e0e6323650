"""User and system time of each test that ./bootstrap test runs: tests/cost.py [BUILD [REGEX]].

Wall time says little on a busy machine, and `ctest` prints nothing else. Fails where all of them take more than GOAL.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

GOAL = 680  # seconds of user and system time, of a release build and where gcloud, kubectl and node are


def tests(build):
    shown = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, check=True).stdout
    return json.loads(shown)["tests"]


def seconds(test, build, log):
    """The user time and the system time of a test and all that it starts, and its status."""
    said = {each["name"]: each["value"] for each in test["properties"]}
    environment = os.environ | dict(each.split("=", 1) for each in said.get("ENVIRONMENT", ()))
    child = subprocess.Popen(test["command"], cwd=said.get("WORKING_DIRECTORY", build), env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime, used.ru_stime, child.returncode


def main(build="build/release", regex=""):
    build, rows = os.path.abspath(build), []
    with tempfile.TemporaryFile() as log:
        for test in tests(build):
            if "command" in test and re.search(regex, test["name"]):
                rows.append((*seconds(test, build, log), test["name"]))
                print("%8.2f %8.2f  %s%s" % (*rows[-1][:2], test["name"], "" if rows[-1][2] == 0 else "  failed or skipped"), flush=True)
    user, system = sum(row[0] for row in rows), sum(row[1] for row in rows)
    print("\nby their time:")
    for row in sorted(rows, key=lambda row: -row[0] - row[1])[:40]:
        print("%8.2f  %s" % (row[0] + row[1], row[3]))
    print("%8.2f  all: user %.1f, system %.1f; at most %d" % (user + system, user, system, GOAL))
    return user + system > GOAL and not regex


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
