"""The performance goals, each beside what was measured: one run, one table.

    python3 tests/bench/bench.py [--quick] [GOAL...]      for example: bench.py P1 P4

Builds the static release program in build/release and measures that. Instructions come from callgrind and don't depend on what else the
machine does; times are medians of runs by turns, so that everything has the same neighbours, and only ratios count. --quick takes fewer
runs. Exit status 1: a goal was measured and missed. What can't be measured here says why.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from measuring import (HERE, NotHere, SOURCE, SPEC, event_passes, good_turns, instructions, release_build, turns, write_files, write_objects,
                       write_stream, write_tree)
from peers import Peers, manifests


# Measured. A pass is yaml-cpp's own over the same bytes, which depends on compilers and libraries as the program does.
ONE_SPEC_PASSES = 1.7
STREAM_PASSES = 1.66
# A spec of twenty lines. Measured: 1,283,000.
SMALL_SPEC = SOURCE / "examples" / "multi-host" / "spec.yaml"
SMALL_SPEC_INSTRUCTIONS = 1_300_000


class Table:
    """Rows as they are measured."""

    def __init__(self):
        self.missed = 0

    def row(self, goal, text, figure, verdict):
        """`verdict` is True, False, or None where nothing was judged."""
        self.missed += verdict is False
        word = {True: "reached", False: "MISSED", None: "-"}[verdict]
        print(f"{goal:4} {text:58} {figure:44} {word}", flush=True)

    def ratio(self, goal, text, ratio, limit, detail=""):
        self.row(goal, text, f"{ratio:.2f}{detail}", ratio <= limit)


class Bench:
    """One measurement for each goal."""

    def __init__(self, build, rounds, directory):
        self.build = build
        self.rounds = rounds
        self.directory = directory
        self.table = Table()
        self.empty = [build.tool("empty")]
        self.one = [build.flexslice, "compile", SPEC]

    def medians(self, commands, rounds=None):
        return [runs.median for runs in good_turns(self.build, rounds or self.rounds, commands, self.directory)]

    def files(self, count):
        folder = self.directory / f"{count}-files"
        if not folder.exists():
            folder.mkdir()
            write_files(folder, count)
        return sorted(folder.iterdir())

    def stream(self, count):
        path = self.directory / f"stream-{count}"
        return path if path.exists() else write_stream(path, count)

    def p1(self):
        for text, source, limit in (("one spec", SPEC, ONE_SPEC_PASSES), ("1,000 specs", self.stream(1_000), STREAM_PASSES)):
            self.table.ratio("P1", f"{text}, instructions: {limit} event passes, +10 %", event_passes(self.build, source), limit * 1.1)

    def p2(self):
        empty, one, usage, version = self.medians(
            [self.empty, self.one, [self.build.flexslice, "--help"], [self.build.flexslice, "--version"]], self.rounds * 5)
        unit = f"  ({one * 1e3:.2f} / {empty * 1e3:.2f} ms)"
        self.table.ratio("P2", "one spec: 3 x an empty static program", one / empty, 3, unit)
        self.table.ratio("P2", "--help: 1.4 x an empty static program", usage / empty, 1.4)
        self.table.ratio("P2", "--version: 1.4 x an empty static program", version / empty, 1.4)

    def p3(self):
        bad = self.directory / "bad.yaml"
        bad.write_text(SPEC.read_text().replace("topology: 4x4", "topology: 4x6"))
        good, wrong = turns(self.build, self.rounds * 5, [self.one, [self.build.flexslice, "compile", bad]])
        if (good.status, wrong.status) != (0, 1):
            raise RuntimeError(f"exit statuses {good.status} and {wrong.status}")
        self.table.ratio("P3", "a spec with a mistake: 1.15 x a good one", wrong.median / good.median, 1.15)

    def p4(self):
        peak = good_turns(self.build, 3, [self.one])[0].peak_kib
        self.table.row("P4", "memory of one spec: 4096 KiB", f"{peak} KiB", peak <= 4096)
        few, many = (good_turns(self.build, 1, [[f"<{self.stream(count)}", self.build.flexslice, "compile", "--jobs", "1", "-"]])[0].peak_kib
                     for count in (1_000, 100_000))
        growth = (many - few) * 1024 / 99_000
        self.table.row("P4", "memory of 1,000 specs in a stream: 8192 KiB", f"{few} KiB", few <= 8192)
        self.table.row("P4", "of each of 100,000: 250 bytes", f"{growth:.0f} bytes  ({many} KiB)", growth <= 250)

    def p5(self):
        files = self.files(1_000)
        half = len(files) // 2
        compiler = [self.build.flexslice, "compile", "--jobs"]
        one, two, events, apart = self.medians([[*compiler, "1", *files], [*compiler, "2", *files], [self.build.tool("events"), *files],
                                                [*compiler, "1", *files[:half], "&", *compiler, "1", *files[half:]]])
        speed = events / one
        self.table.row("P5", "1,000 files, one worker: 75 % of the event pass's speed", f"{speed:.0%}  ({one * 1e3:.0f} ms)", speed >= 0.75)
        if os.cpu_count() < 2:
            self.table.row("P5", "two workers: 85 % of two processes' speed-up", "only one core here", None)
            return
        gain = (one / two) / (one / apart)
        self.table.row("P5", "two workers: 85 % of two processes' speed-up",
                       f"{gain:.0%}  ({one / two:.2f} x, two processes {one / apart:.2f} x)", gain >= 0.85)

    def p6(self):
        commands = [[f"<{self.stream(count)}", self.build.flexslice, "compile", "-"] for count in (10_000, 100_000)]
        few, many = self.medians(commands, max(3, self.rounds // 7))
        self.table.ratio("P6", "time of each spec at 100,000: 1.05 x that at 10,000", (many / 100_000) / (few / 10_000), 1.05,
                         f"  ({many * 10:.1f} us a spec)")

    def p7(self):
        files = self.files(1_000)
        outputs = self.directory / "outputs"
        into = [self.build.flexslice, "compile", "--emit", "manifests", "--out-dir", outputs, *files]
        self.medians([into], 1)
        before = {path: path.stat().st_mtime_ns for path in outputs.rglob("*")}
        unchanged, printed = self.medians([into, [self.build.flexslice, "compile", *files]])
        after = {path: path.stat().st_mtime_ns for path in outputs.rglob("*")}
        self.table.ratio("P7", "1,000 outputs that are current: 1.2 x printing them", unchanged / printed, 1.2,
                         f"  ({unchanged * 1e3:.0f} / {printed * 1e3:.0f} ms)")
        self.table.row("P7", "and no file is written", f"{len(before)} paths, {sum(after[p] != before.get(p) for p in after)} written",
                       after == before)

    def p8(self):
        limits = {"sed": 1.0, "go-jsonnet": 1 / 3.5, "kustomize": 1 / 12, "kubectl kustomize": 1 / 35, "Python + Jinja2": 1 / 40}
        batch_limits = {"jsonnet": 0.7, "kubectl kustomize": 1 / 35, "pkl": 0.25}
        count = 1_000
        peers = Peers(self.build, self.directory).collect(count)
        names = [name for name in peers.one if peers.check(peers.one[name])]
        for name in peers.one.keys() - set(names):
            self.table.row("P8", name, "prints something else", None)
        ours, *theirs = self.medians([self.one, *(peers.one[name] for name in names)])
        for name, time in zip(names, theirs):
            limit = limits.get(name, 1.0)
            self.table.row("P8", f"one spec: {limit:.3f} x {name}", f"{ours / time:.3f}  ({ours * 1e3:.2f} / {time * 1e3:.2f} ms)",
                           ours / time <= limit)
        batch = [name for name in names if name in peers.many]
        files = self.files(count)
        ours, *theirs = good_turns(self.build, max(2, self.rounds // 10),
                                   [[self.build.flexslice, "compile", *files], *(peers.many[name] for name in batch)], self.directory)
        for name, runs in zip(batch, theirs):
            limit = batch_limits.get(name, 1.0)
            for what, own, other in (("wall", ours.median, runs.median), ("cpu", ours.cpu, runs.cpu)):
                self.table.row("P8", f"{count} specs, {what}: {limit:.3f} x {name}", f"{own / other:.3f}  ({own * 1e3:.0f} / {other * 1e3:.0f} ms)",
                               own / other <= limit)
        for name in peers.missing:
            self.table.row("P8", f"one spec: {limits.get(name, 1.0):.3f} x {name}", "not here", None)

    def p9(self):
        text = manifests(self.build)
        tree = write_tree(self.directory / "tree", 20_000, text)
        lint = [self.build.flexslice, "lint", tree]
        ours, grep = good_turns(self.build, max(3, self.rounds // 3), [lint, ["grep", "-rlE", "google.com/tpu|gke-tpu|tpu-topology", tree]], self.directory)
        self.table.ratio("P9", "lint, 20,000 files, 1 % with TPUs: 2 x grep -rlE", ours.median / grep.median, 2,
                         f"  ({ours.median * 1e3:.0f} / {grep.median * 1e3:.0f} ms)")
        self.table.row("P9", "and its memory: 16 MiB", f"{ours.peak_kib} KiB", ours.peak_kib <= 16 * 1024)
        peers = Peers(self.build, self.directory)
        if not shutil.which("kubectl"):
            raise NotHere("kubectl is not here")
        _, many = peers.kustomize(["kubectl", "kustomize"], 1_000)
        ours, theirs = good_turns(self.build, max(3, self.rounds // 10), [[self.build.flexslice, "lint", many[-1]], many], self.directory)
        self.table.ratio("P9", "lint, 1,000 manifests: 0.2 x kubectl kustomize", ours.median / theirs.median, 0.2,
                         f"  ({ours.median * 1e3:.0f} / {theirs.median * 1e3:.0f} ms)")
        self.table.row("P9", "and its memory: 16 MiB", f"{ours.peak_kib} KiB", ours.peak_kib <= 16 * 1024)

    def p10(self):
        if not shutil.which("kubectl"):
            raise NotHere("kubectl is not here")
        _, many = Peers(self.build, self.directory).kustomize(["kubectl", "kustomize"], 100)
        files = sorted(path for path in pathlib.Path(many[-1]).glob("*.yaml") if path.name != "kustomization.yaml")
        ours, events, theirs = good_turns(self.build, max(3, self.rounds // 3),
                                          [[self.build.flexslice, "import", *files], [self.build.tool("events"), *files], many], self.directory)
        self.table.ratio("P10", "import, 100 manifests: 0.1 x kubectl kustomize", ours.median / theirs.median, 0.1,
                         f"  ({ours.median * 1e3:.0f} / {theirs.median * 1e3:.0f} ms; yaml-cpp's events alone {events.median * 1e3:.0f} ms)")
        _, thousand = Peers(self.build, self.directory).kustomize(["kubectl", "kustomize"], 1_000)
        more = sorted(path for path in pathlib.Path(thousand[-1]).glob("*.yaml") if path.name != "kustomization.yaml")
        many = good_turns(self.build, 1, [[self.build.flexslice, "import", *more]])[0]
        self.table.ratio("P10", "import, 1,000 manifests: 2 x the cpu of 10 x 100", many.cpu / ours.cpu / 10, 2, f"  ({many.cpu * 1e3:.0f} ms)")

    def p11(self):
        count = instructions([self.build.flexslice, "compile", SMALL_SPEC])
        self.table.row("P11", f"examples/multi-host: {SMALL_SPEC_INSTRUCTIONS:,} instructions", f"{count:,}", count <= SMALL_SPEC_INSTRUCTIONS)

    def p12(self):
        text = manifests(self.build)
        few, many = (good_turns(self.build, max(3, self.rounds // 10), [[self.build.flexslice, "lint", write_objects(
            self.directory / f"objects-{count}.yaml", text, count)]])[0].cpu for count in (500, 4_000))
        self.table.ratio("P12", "lint, 4,000 objects in a file: 1.15 x the cpu of 8 x 500", many / few / 8, 1.15, f"  ({many * 1e3:.0f} ms)")

    def run(self, goals):
        for goal in goals:
            try:
                getattr(self, goal.lower())()
            except NotHere as missing:
                self.table.row(goal, "", str(missing), None)


def main():
    goals = [f"P{number}" for number in range(1, 13)]
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--quick", action="store_true", help="fewer runs")
    options.add_argument("goals", nargs="*", metavar="GOAL", help="P1 to P12; all unless given")
    chosen = options.parse_args()
    wanted = [goal.upper() for goal in chosen.goals] or goals
    if unknown := set(wanted) - set(goals):
        options.error(f"there is no goal {', '.join(sorted(unknown))}")
    build = release_build()
    made_with = build.made_with()
    print(f"{made_with['compiler']}, yaml-cpp {made_with['yaml-cpp']}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; "
          f"{os.path.relpath(SPEC, HERE.parent.parent)}: {len(SPEC.read_text().splitlines())} lines\n")
    with tempfile.TemporaryDirectory() as directory:
        bench = Bench(build, 7 if chosen.quick else 31, pathlib.Path(directory))
        bench.run(wanted)
    print(f"\n{bench.table.missed} missed" if bench.table.missed else "\nnothing missed")
    return 1 if bench.table.missed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as failed:
        sys.exit(f"{failed}\n{failed.stderr or ''}")
