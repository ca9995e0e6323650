"""What the last run of ctest has skipped, and why: tests/skipped.py BUILD. ./bootstrap test calls it."""
import ast
import collections
import pathlib
import re
import sys

TEST = re.compile(r'^Output:\n-+\n(.*?)<end of output>\n(.*?)^"([^"\n]+)" end time:', re.M | re.S)
REASON = re.compile(r"^.* \.\.\. skipped (['\"].*['\"])$", re.M)


def reasons(log):
    """{reason: {test: how many of its parts}}, in order of the log."""
    found = collections.defaultdict(collections.Counter)
    for output, verdict, test in TEST.findall(log):
        for reason in REASON.findall(output):
            found[ast.literal_eval(reason)][test] += 1
        # A program that says so with its exit status has said why at its end.
        if "Skip" in verdict and not REASON.search(output):
            found[(output.strip().splitlines() or ["no reason given"])[-1]][test] += 1
    return found


def report(log):
    found = reasons(log)
    if not found:
        return "no test was skipped\n"
    lines = ["skipped tests, by reason:\n"]
    for reason, tests in sorted(found.items()):
        lines.append(f"  {reason}\n" + "".join(f"    {test}" + (f" ({parts} parts)" if parts > 1 else "") + "\n" for test, parts in tests.items()))
    return "".join(lines)


if __name__ == "__main__":
    print(report((pathlib.Path(sys.argv[1]) / "Testing/Temporary/LastTest.log").read_text(errors="replace")), end="")
